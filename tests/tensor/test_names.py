"""The tables of names: every alias is on the Tensor, every function does what the method does."""

import inspect

import numpy
import pytest
from steps import for_each

import legacy_autograd as torch
import legacy_autograd.tensor as package
from legacy_autograd.tensor import Tensor, camel_case, functions

# What a program of v0.1.x may use, written out: a name that a table loses is missed here.
METHODS = """
    size dim ndimension numel nelement type view view_as t transpose permute expand expand_as repeat squeeze
    unsqueeze narrow select index_select gather scatter_ masked_select masked_fill_ masked_copy_ masked_scatter_
    split chunk unfold sort topk kthvalue median mode max min argmax argmin sum mean prod std var norm dist
    renorm cumsum cumprod all any nonzero histc clamp clamp_min clamp_max abs exp log log1p sqrt rsqrt sigmoid
    tanh sin cos tan asin acos atan sinh cosh sign floor ceil round trunc frac reciprocal neg lerp atan2 eq ne
    lt le gt ge cmax cmin addcmul addcdiv equal add sub mul div pow remainder fmod mm mv bmm dot ger addmm addmv
    addr addbmm baddbmm matmul inverse svd qr symeig potrf copy_ fill_ zero_ uniform_ normal_ bernoulli_ random_
    exponential_ geometric_ cauchy_ log_normal_ bernoulli multinomial add_ sub_ mul_ div_ pow_ neg_ abs_ exp_
    log_ sqrt_ sigmoid_ tanh_ clamp_ lerp_ addmm_ addmv_ addr_ addcmul_ addcdiv_ apply_ map_ transpose_ t_
    squeeze_ unsqueeze_ resize_ resize_as_ set_ is_same_size is_set_to diag tril triu trace shape stride
    storage_offset element_size is_contiguous contiguous clone new tolist item numpy data index_copy_ index_add_
    index_fill_ take type_as cpu cuda is_cuda double float half long int short char byte cross data_ptr
""".split()
CAMEL = """
    nElement nDimension storageOffset elementSize isContiguous isSameSizeAs isSetTo isSize resizeAs_ viewAs expandAs
    typeAs repeatTensor indexSelect indexCopy_ indexAdd_ indexFill_ maskedFill_ maskedCopy_ maskedSelect logNormal_ cinv
    cmax cmin
""".split()
CAMEL_FUNCTIONS = (
    "isTensor isStorage isLongStorage setDefaultTensorType getDefaultTensorType manualSeed getRNGState setRNGState"
)


@for_each("name", METHODS)
def test_methods(name):
    member = inspect.getattr_static(Tensor, name)
    assert inspect.getdoc(member) or name == "is_cuda"


@for_each("name", sorted({*CAMEL, *camel_case.METHODS}))
def test_camel_case_methods(name):
    assert getattr(Tensor, name) is getattr(Tensor, camel_case.METHODS.get(name, name))


@for_each("name", sorted({*CAMEL_FUNCTIONS.split(), *camel_case.__all__}))
def test_camel_case_functions(name):
    assert getattr(torch, name) is getattr(camel_case, name)


def test_camel_case_at_work():
    x = torch.DoubleTensor([[1, 2], [3, 4]])
    assert x.nElement() == 4 and x.viewAs(torch.zeros(4)).size() == (4,) and x.isContiguous()
    assert x.indexSelect(0, torch.LongTensor([1])).tolist() == [[3, 4]]
    assert x.cinv().tolist() == [[1, 0.5], [1 / 3, 0.25]]
    assert torch.isTensor(x) and torch.isLongStorage(x.size())
    torch.manualSeed(5)
    assert torch.initialSeed() == 5


@for_each("name", functions.__all__)
def test_functions_are_the_methods(name):
    function, method = getattr(functions, name), getattr(Tensor, name)
    assert function.__name__ == name and f"`Tensor.{name}`" in function.__doc__
    parameters = list(inspect.signature(function).parameters.values())
    if name not in ("add", "sub", "mul", "div", "pow", "addbmm", "addmm", "addmv", "addr", "baddbmm"):
        own = list(inspect.signature(method).parameters.values())
        parameters = [p for p in parameters if p.name != "out" or p.kind is not p.KEYWORD_ONLY]
        # The hints differ: a function takes Variables, too.
        parameters, own = ([p.replace(annotation=p.empty) for p in listed] for listed in (parameters, own))
        assert parameters[1:] == own[1:] and (parameters[0].name, own[0].name) == ("x", "self")
    others = [1 for parameter in parameters[1:] if parameter.default is parameter.empty and parameter.kind.value < 2]
    for wrong in ([1.0], (1.0,), "a", None, object()):
        with pytest.raises(TypeError, match=f"^{name}: expected a Tensor or Variable, got"):
            function(wrong, *others)
    with pytest.raises(TypeError, match=f"^{name}: expected a Tensor or Variable, got ndarray"):
        function(numpy.ones(2), *others)


def test_functions_at_work():
    x, y = torch.DoubleTensor([[1, 2], [3, 4]]), torch.DoubleTensor([[5, 6], [7, 8]])
    f = functions
    assert f.exp(x).equal(x.exp()) and f.sum(x) == 10 and f.sum(x, 0).equal(x.sum(0)) and f.max(x, y).equal(y)
    assert f.sum(x, 1, keepdim=False).equal(x.sum(1, keepdim=False))
    assert f.mm(x, y).equal(x.mm(y)) and f.t(x).equal(x.t()) and f.split(x, 1)[1].equal(x[1:])
    assert f.add(x, 2, y).equal(x + 2 * y) and f.add(x, y).equal(x + y) and f.add(2, x).equal(x + 2)
    assert f.sub(2, x).equal(2 - x) and f.div(2, x).equal(2 / x) and f.mul(2, x).equal(x * 2)
    assert f.pow(2, x).equal(2**x) and f.pow(x, 2).equal(x**2)
    assert f.clamp(x, min=2).equal(x.clamp(2)) and f.topk(x, 1)[0].equal(x.topk(1)[0])
    with pytest.raises(TypeError, match="pow: expected a Tensor or Variable, got float"):
        f.pow(2, 3.0)
    with pytest.raises(TypeError, match="addmm: expected a Tensor or Variable, got int"):
        f.addmm(2)
    with pytest.raises(TypeError, match="exp: expected a Tensor or Variable, got float"):
        f.exp(2.0)


def test_functions_leave_the_rest_to_the_methods_of_what_holds_a_tensor():
    class Holder:
        data = torch.ones(1)

        def exp(self):
            return "exp of the holder"

    assert functions.exp(Holder()) == "exp of the holder"


def test_star_imports_hold_what_is_public_and_nothing_else():
    for name in package.__all__:
        assert getattr(package, name) is not None
        assert not inspect.ismodule(getattr(package, name))
    assert len(set(package.__all__)) == len(package.__all__)
