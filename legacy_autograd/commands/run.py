"""Run a program of the v0.1.x era unchanged, with `torch` standing for this package.

The conventions are those of v0.1.12, which most public programs were written for; `--era 0.1.1` takes the first ones,
`--era 0.1.5` and `--era 0.1.9` those of releases between, and `--era 0.2.0` those of August 2017.
"""

import argparse

from .. import conventions
from ..compat import runner


def configure(parser):
    parser.add_argument("--era", choices=conventions.RELEASES, default="0.1.12", help="whose conventions to follow")
    parser.add_argument(
        "--trust-pickles",
        action="store_true",
        help="let torch.load open pickles of other runs, which can contain any code: only for files that you trust",
    )
    parser.add_argument(
        "--torch-format",
        action="store_true",
        help="let torch.save write files that torch opens, from v0.1.10 to today, instead of safetensors",
    )
    parser.add_argument(
        "--ignore-cuda",
        action="store_true",
        help="for a program that wants a graphics card: is_available() is True, and all stays in main memory",
    )
    parser.add_argument(
        "--digits",
        action="store_true",
        help="serve scikit-learn's 1,797 digits, enlarged to 28x28, where the program asks for MNIST",
    )
    parser.add_argument(
        "--any-files",
        action="store_true",
        help="let torchvision's data sets read files with other MD5 sums than the published ones, such as small ones",
    )
    parser.add_argument("script", help="the program's file")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="handed to the program as they are")


def run(arguments):
    return runner.run_script(
        arguments.script,
        arguments.arguments,
        era=arguments.era,
        trust_pickles=arguments.trust_pickles,
        ignore_cuda=arguments.ignore_cuda,
        torch_format=arguments.torch_format,
        digits=arguments.digits,
        any_files=arguments.any_files,
    )
