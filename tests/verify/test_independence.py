"""The verifier shares no code with the search: shown by its imports, all the way down."""

import ast
import subprocess
import sys
from pathlib import Path

import amongst

ROOT = Path(amongst.__file__).parent
ALLOWED = ("amongst.brief", "amongst.errors", "amongst.models", "amongst.published", "amongst.schema", "amongst.verify")
FOREIGN = {"numpy", "pyarrow", "narwhals", "duckdb", "openpyxl", "pyreadstat"}


def file_of(module):
    path = ROOT.parent.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def imports_of(module, everywhere):
    """The modules a module imports; those inside functions too where ``everywhere``."""
    tree = ast.parse(file_of(module).read_text(encoding="utf-8"))
    found = set()
    nodes = list(ast.walk(tree)) if everywhere else at_import(tree)
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import"
            found.add(node.module)
            submodules = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name for name in submodules if name.startswith("amongst") and file_of(name).exists()}
    return found


def at_import(tree):
    """Statements that run when the module is imported: not in functions, not for type checkers."""
    waiting, nodes = list(tree.body), []
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or "TYPE_CHECKING" in ast.unparse(node)[:20]:
            continue
        waiting += [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
    return nodes


def verify_modules():
    files = sorted(path for room in ("published", "verify") for path in (ROOT / room).rglob("*.py"))
    return [".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__") for path in files]


def is_allowed(module):
    return module.startswith(ALLOWED) or module == "amongst"


def test_no_import_of_the_search_not_even_in_a_function():
    assert len(verify_modules()) > 10
    for module in verify_modules():
        for name in imports_of(module, everywhere=True):
            if name.split(".")[0] == "amongst":
                assert name.startswith(ALLOWED), f"{module} imports {name}"
            else:
                assert name.split(".")[0] in FOREIGN | sys.stdlib_module_names, f"{module} imports {name}"


def test_nothing_it_imports_imports_the_search():
    seen, waiting = set(), verify_modules()
    while waiting:
        module = waiting.pop()
        if module in seen or not file_of(module).exists():
            continue
        seen.add(module)
        # A function of the schema may import more when it is called; a verification never calls it,
        # which the test below shows.
        names = imports_of(module, everywhere=module.startswith(("amongst.published", "amongst.verify")))
        for name in names:
            if name.split(".")[0] == "amongst":
                assert is_allowed(name), f"{module} imports {name}"
                # Importing a module also imports the packages around it.
                parts = name.split(".")
                waiting += [".".join(parts[:n]) for n in range(1, len(parts) + 1)]
    assert "amongst.schema.tree" in seen


def test_a_whole_verification_loads_nothing_of_the_search(tmp_path):
    program = f"""
import sys
from amongst.models import KAnonymity
from amongst.schema import Column, Hierarchy, Schema
from amongst.verify import verify
from amongst.verify.sql import as_sql
open({str(tmp_path / "p.csv")!r}, "w").write("age,zip\\n[20-29],5371*\\n[20-29],5371*\\n")
schema = Schema({{"age": Column(role="quasi", kind="numeric"),
                 "zip": Column(role="quasi", kind="categorical", hierarchy=Hierarchy.digits(5))}})
assert verify({str(tmp_path / "p.csv")!r}, schema, [KAnonymity(2)]).ok
as_sql(schema, KAnonymity(2), {str(tmp_path / "p.csv")!r})
loaded = {{name.split(".")[1] for name in sys.modules if name.startswith("amongst.")}}
print(sorted(loaded))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['brief', 'errors', 'models', 'published', 'schema', 'verify']"


def test_importing_it_is_cheap():
    program = "import sys, amongst.verify; print('pyarrow' in sys.modules, 'narwhals' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_the_name_is_package_and_function():
    program = """
import amongst as am
from amongst.published.labels import parse
import pyarrow as pa
assert am.verify(pa.table({"a": ["x"]}), ["a"], [am.KAnonymity(1)]).ok
from amongst.verify import verify, Verdict
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_what_was_published_is_read_by_code_that_the_writer_does_not_use():
    for room in ("recode", "encode", "partition", "measure"):
        for path in (ROOT / room).rglob("*.py"):
            assert "amongst.published" not in path.read_text(encoding="utf-8"), path
    modules = [name for name in verify_modules() if name.startswith("amongst.published")]
    assert len(modules) > 10
    for module in modules:
        own = {name for name in imports_of(module, everywhere=True) if name.startswith("amongst.")}
        assert all(
            name.startswith(("amongst.errors", "amongst.models", "amongst.published", "amongst.schema")) for name in own
        )
