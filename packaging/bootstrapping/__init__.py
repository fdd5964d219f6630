"""What packaging/bootstrap.py does once it knows that its Python will do. Standard library only.

start.py         the commands
environment.py   .venv: whether it is ready, how it is made, what is installed into it
progress.py      what pip is doing, told while it does it
system.py        libraries, programs and fonts of the operating system
machine.py       what this machine is and may do
lock.py          one set-up at a time
"""
