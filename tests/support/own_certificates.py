"""An authority of a test's own, certificates that it vouches for, and a server on loopback that shows one."""

import datetime
import http.server
import ipaddress
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


class Authority:
    """*folder* takes its certificate, as a company hands it out, and those that it makes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name("An authority of a test")
        made = _builder(self._name, self._name, self._key.public_key())
        made = made.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        self.file = folder / "authority.pem"
        self.file.write_bytes(made.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))

    def certificate(self, *, days: tuple[int, int] = (-1, 1), host: str = "127.0.0.1") -> Path:
        """One for *host*, valid between *days* from now, with its key, in one file."""
        key = ec.generate_private_key(ec.SECP256R1())
        made = _builder(_name(host), self._name, key.public_key(), days)
        names: list[x509.GeneralName] = [
            x509.IPAddress(ipaddress.ip_address(host)) if host[0].isdigit() else x509.DNSName(host)
        ]
        made = made.add_extension(x509.SubjectAlternativeName(names), critical=False)
        path = self._folder / f"{host}.pem"
        path.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
            + made.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        )
        return path


@contextmanager
def serving(certificate: Path, content: bytes) -> Iterator[str]:
    """The address of a server that shows *certificate* and answers every question with *content*."""

    class Answers(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    class Quiet(http.server.ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """Whoever does not trust the certificate hangs up."""

    with Quiet(("127.0.0.1", 0), Answers) as server:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"https://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def _name(words: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, words)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, days: tuple[int, int] = (-1, 1)
) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    first, last = (now + datetime.timedelta(days=each) for each in days)
    made = x509.CertificateBuilder(serial_number=x509.random_serial_number())
    return made.subject_name(subject).issuer_name(issuer).public_key(key).not_valid_before(first).not_valid_after(last)
