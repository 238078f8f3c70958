"""nbgrader's settings for these exercises; INSTRUCTORS.md says how to use them in a course of your own."""

c = get_config()

c.CourseDirectory.course_id = "autograd_of_2016"

# What stands in place of a solution. The checks recognise nbgrader's own stub as well.
c.ClearSolutions.code_stub = {"python": 'raise NotImplementedError("not written yet")'}

# A student who deletes a test cell gets it back.
c.OverwriteCells.add_missing_cells = True

# Judge in place of nbgrader's Execute: no student's code runs in the kernel of whoever grades. Without these lines
# everything works as well; the notebook is then executed, and its test cells ask the same judge.
c.Autograde.autograde_preprocessors = [
    "legacy_autograd.exercises.autograding.Judge",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
