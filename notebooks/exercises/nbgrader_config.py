"""nbgrader's settings for these exercises. notebooks/exercises/INSTRUCTORS.md of legacy_autograd says more of them."""

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "autograd_of_2016"

# What stands in place of a solution. The checks recognise nbgrader's own stub as well.
c.ClearSolutions.code_stub = {"python": 'raise NotImplementedError("not written yet")'}

# A student who deletes a test cell gets it back.
c.OverwriteCells.add_missing_cells = True

# Judge in place of nbgrader's Execute: no student's code runs in the kernel of whoever grades. Without these lines
# the notebook is executed, and its test cells ask the same judge. Other assignments are executed in any case.
c.Autograde.autograde_preprocessors = [
    "legacy_autograd.exercises.nbgrader_plugin.Judge",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# What one check may take of a student's computing, and a notebook's code of memory.
c.Judge.seconds = 10
c.Judge.megabytes = 1000
