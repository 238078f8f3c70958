"""Which programs of an exercise are used: of three seeds in a row the digit says the one.

It is the one with most values of `DIMENSIONS` together that none before it has; tests/exercises/test_programs.py draws
all three. Such programs find faults that show only where things meet, as a FloatTensor of four dimensions behind two
Variables. Exercises that are not here use one seed after the other.
"""

CHOSEN = {  # by the name of an Assigned
    "do_forward backward_programs": "0220022022200101002121010012",
    "do_forward result_programs": "001001121022202221011101110110212201012120020212011200000020000001002000001",
    "leaf adds_programs": "101212100121221221202221020022021221211200022",
    "leaf end_programs": "221000212022221112221002101212010020",
    "leaf hooks_programs": "20220020112211101122100001121001012120121220210112012220111211210",
    "leaf own_programs": "102121002220211000111121221102100211102112020",
    "local_derivatives abs_programs": "211210011122201220201200120102002112202002022",
    "local_derivatives div_programs": "002021122110201112111220011200201001212122201",
    "local_derivatives exp_programs": "000000121120102020101101020010020111200111010",
    "local_derivatives mul_programs": "201011011200112100102020102001221102002011100",
    "local_derivatives sigmoid_programs": "200211011121200011002200120021101200001220100",
    "local_derivatives sub_programs": "110020022120120011002201212020012111010001220",
}
