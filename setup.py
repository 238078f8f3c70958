"""Puts the notebooks, the slides and their pictures into the wheel, for `legacy-autograd learn`.

All metadata is in setup.cfg. A clone and an editable installation use the repository's own folders.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

# Patterns of the repository's files, and the folder of the wheel that they go into.
COURSE = {
    "notebooks/*.ipynb": "notebooks",
    "notebooks/autograd_in_200_lines.py": "notebooks",
    "notebooks/slides/*.ipynb": "notebooks/slides",
    "build/slides/*.html": "notebooks/slides",  # where `make slides` was run before, as `make dist` does
    "diagrams/diamond_backward.svg": "diagrams",
    "FIDELITY.md": ".",
}


class BuildWithCourse(build_py):
    """Builds the package, and copies the course into it."""

    def run(self):
        super().run()
        if self.editable_mode:
            return
        course = Path(self.build_lib, "legacy_autograd", "course")
        shutil.rmtree(course, ignore_errors=True)
        for pattern, folder in COURSE.items():
            course.joinpath(folder).mkdir(parents=True, exist_ok=True)
            for path in Path().glob(pattern):
                shutil.copy(path, course / folder)


setup(cmdclass={"build_py": BuildWithCourse})
