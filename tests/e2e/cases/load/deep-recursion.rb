require_relative "../../burn"
def zz_deep(n) = n.zero? ? burn(0.4) : zz_deep(n - 1)
def zz_bomb(n) = zz_bomb(n + 1)
zz_deep(9000)
ok = 0
20.times { begin zz_bomb(0); rescue SystemStackError then ok += 1 end }
print "rescued=#{ok}"
