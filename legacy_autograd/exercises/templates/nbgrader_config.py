"""nbgrader's settings for these exercises. notebooks/exercises/INSTRUCTORS.md of legacy_autograd explains them."""

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "autograd_of_2016"

# The stub that replaces a solution. The checks recognise nbgrader's own stub as well.
c.ClearSolutions.code_stub = {"python": 'raise NotImplementedError("not written yet")'}

# A student who deletes a test cell gets it back.
c.OverwriteCells.add_missing_cells = True

# Restore puts right the metadata of cells that a student has copied, edited or lost. It comes before nbgrader's own.
c.Autograde.sanitize_preprocessors = [
    "legacy_autograd.exercises.nbgrader_plugin.Restore",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.DeduplicateIds",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "nbgrader.preprocessors.OverwriteCells",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# Judge replaces nbgrader's Execute: no student's code runs in the instructor's kernel. Without these lines the notebook
# is executed, and its test cells call the same judge. Other assignments are always executed.
c.Autograde.autograde_preprocessors = [
    "legacy_autograd.exercises.nbgrader_plugin.Judge",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# Limits: processor seconds for each check, and megabytes of memory for a notebook's code.
c.Judge.seconds = 10
c.Judge.megabytes = 1000
