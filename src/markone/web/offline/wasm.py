"""Compiled functions as one WebAssembly module, for pages without a server.

Numba's code for a CPU without extensions is translated by LLVM's WebAssembly target, which llvmlite contains,
and linked by wasm-ld. The flags that let sums be reordered or contracted are removed, so that every machine
that runs the module rounds alike. Memory is the page's: it gives each array that the code makes a place, and
frees all of them after the call.

Run as a program, since numba reads its settings when it is imported:
python -m markone.web.offline.wasm FILE MODULE
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from markone.numerics.compiling import CACHE
from markone.numerics.files import write_atomically

SETTINGS = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_OPT": "0", "NUMBA_DISABLE_JIT": "0"}
TRIPLE = "wasm32-unknown-unknown"
FLAGS = re.compile(r"(?<= )(?:reassoc|nnan|nsz|arcp|contract|afn|fast) ")
# Reference counts of arrays: nothing is freed during a call.
COUNTED = re.compile(r"(define [^\n]*@(?:NRT_incref|NRT_decref)\(.*?\)[^{\n]*)\{.*?\n\}", re.DOTALL)
MISSING = (
    "A page without a server needs wasm-ld, the linker of WebAssembly: pip install 'markone[export]', or "
    "the package lld of your distribution."
)


def find_linker() -> list[str]:
    """The command of wasm-ld: that of the system, or that of the package ziglang."""
    found = next((path for name in ("wasm-ld", "wasm-ld-19") if (path := shutil.which(name))), None)
    if found:
        return [found]
    if find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "wasm-ld"]
    raise ValueError(MISSING)


def build_module(modules: list[str]) -> bytes:
    """All `PAGE_ENTRIES` of these Python modules as one WebAssembly module, made in a process of its own."""
    digest = hashlib.sha256(Path(__file__).read_bytes() + " ".join(modules).encode()).hexdigest()[:16]
    kept = CACHE / f"page-{digest}.wasm" if CACHE else None
    if kept and kept.exists():
        return kept.read_bytes()
    linker = find_linker()
    with tempfile.TemporaryDirectory() as folder:
        made, target = Path(folder) / "entries.o", Path(folder) / "entries.wasm"
        command = [sys.executable, "-m", "markone.web.offline.wasm", str(made), *modules]
        names = subprocess.run(
            command, env=os.environ | SETTINGS, check=True, text=True, stdout=subprocess.PIPE
        ).stdout.split()
        exports = [f"--export={name}" for name in (*names, "__heap_base")]
        options = ["--no-entry", "--allow-undefined", "--gc-sections", "--strip-all"]
        subprocess.run([*linker, *options, *exports, str(made), "-o", str(target)], check=True)
        made_module = target.read_bytes()
    if kept:
        write_atomically(kept, made_module)
    return made_module


def _compile_object(entries: dict[str, Any]) -> bytes:
    """One object file of functions (X, S, setting, state, out) -> whole number, called with pointers."""
    from llvmlite import binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE).create_target_machine(
        opt=3, features="+bulk-memory,+sign-ext,+mutable-globals"
    )
    module = None
    for name, entry in entries.items():
        compiled = _pointer_function(name, entry)
        one = llvm.parse_assembly(_portable_text(compiled.inspect_llvm(), target))
        one.get_function(compiled.native_name).name = name
        if module is None:
            module = one
        else:
            module.link_in(one)
    assert module is not None
    keep = set(entries)
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in keep else "internal"
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    builder = llvm.create_pass_builder(target, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(target.emit_object(module))


def _pointer_function(name: str, entry: Any) -> Any:
    """A C function of pointers and sizes; arrays are made of them inside."""
    import numba

    nb: Any = numba
    carray, real, whole = nb.carray, nb.types.CPointer(nb.types.float64), nb.types.int32
    state_type = nb.types.CPointer(nb.types.uint64)
    signature = whole(real, real, whole, whole, real, state_type, real, whole, whole)

    def call(X, S, P, N, setting, state, out, rows, columns):  # type: ignore[no-untyped-def]
        return entry(
            carray(X, (P, N)),
            carray(S, (P,)),
            carray(setting, (8,)),
            carray(state, (1,)),
            carray(out, (rows, columns)),
        )

    call.__name__ = call.__qualname__ = name
    return nb.cfunc(signature)(call)


def _portable_text(text: str, target: Any) -> str:
    """The assembly without what belongs to the CPU it was made for."""
    text = re.sub(r'target triple = ".*"', f'target triple = "{TRIPLE}"', text)
    text = re.sub(r'target datalayout = ".*"', f'target datalayout = "{target.target_data}"', text)
    text = re.sub(r'"(?:target-cpu|target-features)"="[^"]*"', "", text).replace(" = common ", " = internal ")
    text = COUNTED.sub(r"\1{\n  ret void\n}", text)
    return FLAGS.sub("", text)


if __name__ == "__main__":
    from importlib import import_module

    found = {name: one for module in sys.argv[2:] for name, one in import_module(module).PAGE_ENTRIES.items()}
    Path(sys.argv[1]).write_bytes(_compile_object(found))
    print(*found)
