"""Files that were damaged, written by others or made to harm, at random by a seed: no command goes wrong by them."""
