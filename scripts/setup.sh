# Sourced by the scripts beside it: makes .venv, installs the package, finds or installs a browser.
# Safe to run twice; what is already there is kept.

say() { printf '%s\n' "== $*"; }
stop() { printf '%s\n' "$*" >&2; exit 1; }

# setup EXTRAS: EXTRAS is empty or the names of pip extras, such as [dev,docs]
setup() {
    cd "$(dirname "$0")/.." || exit 1
    find_python
    make_environment "$1"
    PATH="$PWD/.venv/bin:$PATH"
    export PATH
    # Where nothing compiled is kept, every pytest that is started compiles all of it again.
    unset PYTHONDONTWRITEBYTECODE
    find_browser
    install_packages
    # While the browser is tried npm can work.
    install_builds >.venv/builds.log 2>&1 &
    builds=$!
    appbench doctor || exit 1
}

find_python() {
    for python in python3 python3.14 python3.13 python3.12 python3.11; do
        if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            return
        fi
    done
    stop "Python 3.11 or newer was not found: install it (Debian: apt-get install python3 python3-venv) and run this again."
}

make_environment() {
    if [ ! -x .venv/bin/python ]; then
        say "making the virtual environment .venv"
        "$python" -c 'import ensurepip, venv' 2>/dev/null ||
            stop "Python's venv module is missing: install it (Debian: apt-get install python3-venv) and run this again."
        "$python" -m venv .venv || stop "the virtual environment could not be made in $PWD/.venv"
    fi
    stamp="$1 $(cksum <pyproject.toml)"
    if [ "$(cat .venv/appbench-stamp 2>/dev/null)" != "$stamp" ]; then
        say "installing the package$1"
        .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --editable ".$1" ||
            stop "pip could not install the package; its message stands above."
        printf '%s\n' "$stamp" >.venv/appbench-stamp
    fi
}

# On a machine of ours (root, apt): a browser without windows, which opens pages at half the cost of
# the full one; fonts, without which emoji and East Asian text are empty boxes, to a person and in
# screenshots; bubblewrap, which keeps coding agents in. Each can be done without.
install_packages() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 0
    wanted=""
    has_shell || wanted="chromium-headless-shell"
    command -v bwrap >/dev/null || wanted="$wanted bubblewrap"
    [ -n "$(fc-list :charset=1f600 2>/dev/null)" ] || wanted="$wanted fontconfig fonts-noto-color-emoji"
    [ -n "$(fc-list :charset=4e2d 2>/dev/null)" ] || wanted="$wanted fontconfig fonts-noto-cjk"
    [ -n "$wanted" ] || return 0
    say "installing with apt-get: $wanted"
    timeout 60 apt-get update -q >/dev/null 2>&1 || true
    for package in $wanted; do
        DEBIAN_FRONTEND=noninteractive timeout 180 apt-get install -yq "$package" >/dev/null 2>&1 ||
            say "$package could not be installed; going on without it"
    done
}

# Whether React apps can be built; says what came of what was begun in `setup`.
has_builds() {
    wait "$builds" && can_build=0 || can_build=1
    cat .venv/builds.log
    return "$can_build"
}

# What builds of React apps share, installed once while there is a network. Without it (no Node.js, no
# registry) everything else works.
install_builds() {
    if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
        say "no Node.js with npm on PATH: going on without React builds (https://nodejs.org; Debian: apt-get install nodejs npm)"
        return 1
    fi
    appbench install || {
        say "going on without React builds"
        return 1
    }
}

has_browser() {
    python -c 'from pytest_appbench.browser.launch import find_chromium; find_chromium()' 2>/dev/null
}

has_shell() {
    python -c '
from pytest_appbench.browser.launch import VARIABLE, find_chromium
found = find_chromium()
raise SystemExit(found.source != VARIABLE and "headless" not in found.executable)' 2>/dev/null
}

find_browser() {
    has_browser || install_playwright_browser || install_system_browser || stop \
        "No Chromium was found and none could be installed: run 'playwright install --with-deps chromium', or install chromium or chrome with your system's package manager."
}

install_playwright_browser() {
    say "no browser found; trying 'playwright install chromium' for at most three minutes"
    log="$PWD/.venv/playwright-install.log"
    if python - >"$log" 2>&1 <<'PYTHON' && has_browser
import os, signal, subprocess, sys
install = subprocess.Popen([sys.executable, "-m", "playwright", "install", "chromium"], start_new_session=True)
try:
    sys.exit(install.wait(timeout=180))
except subprocess.TimeoutExpired:
    os.killpg(install.pid, signal.SIGKILL)
    sys.exit("Error: not finished after three minutes")
PYTHON
    then
        return
    fi
    say "that did not work ($(grep '^Error: ' "$log" | head -n 1); all of it in $log)"
    return 1
}

install_system_browser() {
    [ "$(id -u)" = 0 ] || return 1
    say "installing Chromium with the system's package manager"
    if command -v apt-get >/dev/null; then
        { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -yq chromium-headless-shell; } >/dev/null 2>&1 ||
            DEBIAN_FRONTEND=noninteractive apt-get install -yq chromium >/dev/null 2>&1
    elif command -v dnf >/dev/null; then dnf install -yq chromium
    elif command -v apk >/dev/null; then apk add -q chromium
    elif command -v pacman >/dev/null; then pacman -Sq --noconfirm chromium
    elif command -v zypper >/dev/null; then zypper -nq install chromium
    fi
    has_browser
}
