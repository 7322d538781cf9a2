"""Signatures over a release: who wrote the manifest, and so every file whose digest it holds.

A signature is one file beside the manifest, made with an Ed25519 key in the form that ssh keeps keys in. It needs the
package ``cryptography`` (``pip install amongst[sign]``).
"""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any

from amongst.errors import BadInput, BadOption, NotVerified
from amongst.own_files import MANIFEST, SIGNATURE, is_given_away

PURPOSE = b"amongst release, format 1\n"
"""Stands before what is signed: a signature for something else is none for a release."""
HEAD = "amongst-signature ed25519 1"


def new_key(path: str | os.PathLike[str]) -> Path:
    """Write a new private key, for its owner alone, and beside it ``.pub``, the key that others check with."""
    keys, forms = _library()
    place = Path(path)
    public = place.with_name(place.name + ".pub")
    taken = [str(one) for one in (place, public) if one.exists()]
    if taken:
        raise BadOption("A key is never replaced.", found=taken, fix="name another file")
    _refuse_key_in_release(place)
    made = keys.Ed25519PrivateKey.generate()
    private = made.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.OpenSSH, forms.NoEncryption())
    try:
        handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise BadInput(
            "The key cannot be written there.", found=type(error).__name__, fix="name another file"
        ) from None
    with os.fdopen(handle, "wb") as stream:
        stream.write(private)
    public.write_bytes(made.public_key().public_bytes(forms.Encoding.OpenSSH, forms.PublicFormat.OpenSSH) + b"\n")
    return public


def sign(folder: str | os.PathLike[str], key: str | os.PathLike[str]) -> Path:
    """Sign the manifest of a folder; every file of the release has its digest there.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.signature import check_signature, new_key, sign
    >>> patients = am.datasets.load("patients")
    >>> _ = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)]).write("signed")
    >>> public = new_key("key")
    >>> _ = sign("signed", "key")
    >>> check_signature("signed", public)
    """
    keys, forms = _library()
    content = _manifest(Path(folder))
    _refuse_key_in_release(Path(key))
    try:
        made = forms.load_ssh_private_key(Path(key).read_bytes(), password=None)
    except (OSError, ValueError, TypeError, _unsupported()) as error:
        fix = "name a private key that ssh-keygen -t ed25519 made without a password, or amongst sign --new-key"
        raise BadInput("The key cannot be read.", found=type(error).__name__, fix=fix) from None
    if not isinstance(made, keys.Ed25519PrivateKey):
        raise BadInput("The key is of another kind.", found=type(made).__name__, fix="use an Ed25519 key")
    place = Path(folder) / SIGNATURE
    signed = base64.b64encode(made.sign(PURPOSE + content)).decode()
    place.write_text(f"{HEAD}\n{signed}\n", encoding="ascii")
    return place


def _refuse_key_in_release(key: Path) -> None:
    """Raise where a private key lies, or would lie, among files that are given away."""
    beside = key.resolve().parent
    if is_given_away(beside):
        raise BadOption(
            "The private key would lie in a release.",
            found=f"{key.name} in {beside.name}",
            fix="keep it elsewhere: whoever has it signs in your name",
        )


def check_signature(folder: str | os.PathLike[str], signer: str | os.PathLike[str]) -> None:
    """Raise unless the manifest of a folder is signed by a public key.

    It says who wrote the manifest. That the files are those of the manifest is what ``amongst verify`` checks.
    """
    keys, forms = _library()
    content = _manifest(Path(folder))
    place = Path(folder) / SIGNATURE
    if not place.is_file():
        raise NotVerified("The release is not signed.", found=f"no {SIGNATURE}", fix="ask its maker to sign it")
    try:
        public = forms.load_ssh_public_key(Path(signer).read_bytes())
    except (OSError, ValueError, _unsupported()) as error:
        fix = "name the file .pub of the key that it was signed with"
        raise BadInput("The signer's key cannot be read.", found=type(error).__name__, fix=fix) from None
    if not isinstance(public, keys.Ed25519PublicKey):
        raise BadInput("The key is of another kind.", found=type(public).__name__, fix="use an Ed25519 key")
    from cryptography.exceptions import InvalidSignature

    try:
        head, text = place.read_text(encoding="ascii").splitlines()
        if head != HEAD:
            raise ValueError
        public.verify(base64.b64decode(text, validate=True), PURPOSE + content)
    except (ValueError, InvalidSignature):
        raise NotVerified(
            "The signature is not that of this signer over this manifest.",
            found=f"{SIGNATURE} does not fit",
            fix="take the folder as its maker wrote it, or the key of who signed it",
        ) from None


def _manifest(folder: Path) -> bytes:
    try:
        return (folder / MANIFEST).read_bytes()
    except OSError:
        raise BadInput(
            f"{folder.name or folder} is no release folder.",
            found=f"no {MANIFEST}",
            fix="name a folder that amongst wrote",
        ) from None


def _unsupported() -> type[Exception]:
    from cryptography.exceptions import UnsupportedAlgorithm

    return UnsupportedAlgorithm


def _library() -> tuple[Any, Any]:
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise BadOption(
            "Signatures need the package cryptography.", found="it is not there", fix="pip install amongst[sign]"
        ) from None
    return ed25519, serialization
