require_relative "../../burn"
def zz_gen(y) = 40.times { burn(0.01); y << 1 }
def zz_consume(e) = 40.times { burn(0.005); e.next }
zz_consume(Enumerator.new { |y| zz_gen(y) })
