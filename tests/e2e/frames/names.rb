require_relative "../measure"

class Foo
  def bar = burn(0.05)
  def self.baz = burn(0.05)
  class Inner
    def deep = burn(0.05)
  end
end

module Mixin
  def mixed = burn(0.05)
end

class Größe
  def naïve_方法 = burn(0.05)
end

class Opened
  burn(0.05)
end

Foo.new.bar
Foo.baz
Foo::Inner.new.deep
Object.new.extend(Mixin).mixed
Größe.new.naïve_方法
[1].each { burn(0.05) }
Object.new.tap { |o| def o.zz_single = burn(0.05) }.zz_single
Class.new { def zz_anonymous = burn(0.05) }.new.zz_anonymous
Class.new { def self.zz_class = burn(0.05) }.zz_class
numbers = Array.new(20_000) { |i| i * 7919 % 10_007 }
stop = cpu_ms + 100
numbers.sort until cpu_ms > stop
