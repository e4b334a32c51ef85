"""The typefaces that decks are drawn in to learn from, and others that only measure: two folders of font files.

    apt-get install -y $(python tests/training/font_folders.py --packages)
    python tests/training/font_folders.py fonts         # fonts/train for `referee train --fonts`, fonts/held_out

Takes up to eight files of each of these Debian packages, bold ones first, as decks print heavy signs; neither thin ones
nor those of one width. A package is in one folder only: the held out typefaces are strangers to the networks. Not
collected by pytest. The files are not ours and are not committed.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

from folder_script import given_folder

from referee.faces.typefaces import has_signs

TRAIN = """
adf-gillius adf-ikarius adf-mekanus adf-switzera adf-universalis adf-verana allerta apropal averia-sans-gwf b612
beteckna breip cabin cantarell cherrybomb clear-sans comfortaa crosextra-carlito croscore dejavu-extra dosis eurofurence
f500 ferrite-core freefont-ttf georgewilliams go hack havana humor-sans inter junction jura karla kaushanscript
liberation lindenhill lobster manrope mplus okolaks oldstandard open-sans opendin oxygen paratype play quattrocento
radisnoir reggae roadgeek roboto-unhinted routed-gothic sil-andika tiresias tomsontalks train ubuntu-title vollkorn
yusei-magic
"""

HELD_OUT = """
bebas-neue comic-neue dustin lato leckerli-one league-spartan national-park opendyslexic quicksand roboto-slab rocknroll
sora staypuft tuffy urw-base35 yanone-kaffeesatz
"""

OF_EACH = 8
LEFT_OUT = re.compile("thin|hairline|extralight|ultralight|symbol|dingbat|mono|outline|condensedlight", re.IGNORECASE)
BOLD = re.compile("bold|black|heavy|extra", re.IGNORECASE)


def chosen(package: str) -> list[Path]:
    """The files of an installed package that are taken."""
    listed = subprocess.run(["dpkg", "-L", f"fonts-{package}"], capture_output=True, text=True, check=True).stdout
    files = [Path(line) for line in listed.splitlines() if line.lower().endswith((".ttf", ".otf"))]
    good = sorted(str(file) for file in files if not LEFT_OUT.search(file.name) and has_signs(str(file)))
    random.Random(f"fonts-{package}").shuffle(good)
    good.sort(key=lambda file: not BOLD.search(Path(file).name))
    return [Path(file) for file in good[:OF_EACH]]


def main() -> None:
    _, out = given_folder(__doc__, (f"fonts-{package}" for package in f"{TRAIN} {HELD_OUT}".split()))
    for name, packages in (("train", TRAIN), ("held_out", HELD_OUT)):
        count = 0
        for package in packages.split():
            for file in chosen(package):
                folder = out / name / f"fonts-{package}"
                folder.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, folder / file.name)
                count += 1
        print(f"{out / name}: {count} typefaces")


if __name__ == "__main__":
    main()
