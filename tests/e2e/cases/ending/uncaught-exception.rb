require_relative "../../burn"
def zz_work = burn(0.3)
def zz_inner(x) = raise(ArgumentError, "zz boom #{x}")
zz_work
zz_inner(3)
