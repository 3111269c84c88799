# A program as people write them: reads orders from CSV-like text, prices them, groups them by
# customer and month, and renders a page and a JSON document. Standard library only.
#
#     rperf-run -p ruby tests/apps/order_report.rb [ORDERS]
require "erb"
require "json"

PRODUCTS = Array.new(400) { |i| { sku: format("SKU-%04d", i), cents: 199 + i * 37 % 9000 } }

# One line of the order file.
class Order
  attr_reader :customer, :date, :lines

  def self.parse(text)
    customer, date, *items = text.split(",")
    lines = items.map do |item|
      sku, count = item.split("*")
      [sku, Integer(count)]
    end
    new(customer, date, lines)
  end

  def initialize(customer, date, lines)
    @customer = customer
    @date = date
    @lines = lines
  end

  def month
    date[0, 7]
  end
end

# Prices with a discount for many of a kind.
class PriceList
  def initialize(products)
    @cents = products.to_h { |product| [product[:sku], product[:cents]] }
  end

  def total(order)
    order.lines.sum { |sku, count| discounted(@cents.fetch(sku) * count, count) }
  end

  def discounted(cents, count)
    count >= 10 ? (cents * 0.93).round : cents
  end
end

# Sums by customer and by month, the best first.
class Report
  TEMPLATE = ERB.new(<<~HTML, trim_mode: "-")
    <table>
    <% rows.each do |name, cents, count| -%>
      <tr><td><%= ERB::Util.h(name) %></td><td><%= money(cents) %></td><td><%= count %></td></tr>
    <% end -%>
    </table>
  HTML

  def initialize(orders, prices)
    @orders = orders
    @prices = prices
  end

  def by(&key)
    @orders.group_by(&key).map do |name, orders|
      [name, orders.sum { |order| @prices.total(order) }, orders.size]
    end.sort_by { |name, cents, _| [-cents, name] }
  end

  def money(cents)
    format("%.2f", cents / 100.0).gsub(/(\d)(?=(\d{3})+\.)/, '\1,')
  end

  def html
    [by(&:customer), by(&:month)].map { |rows| TEMPLATE.result(binding_for(rows)) }.join
  end

  def binding_for(rows)
    binding.tap { |b| b.local_variable_set(:rows, rows) }
  end

  def json
    JSON.pretty_generate(customers: by(&:customer), months: by(&:month))
  end
end

def generate_orders(count, random)
  Array.new(count) do
    items = Array.new(1 + random.rand(8)) { "#{PRODUCTS.sample(random: random)[:sku]}*#{1 + random.rand(14)}" }
    format("customer %03d & sons,2025-%02d-%02d,%s", random.rand(600), 1 + random.rand(12),
           1 + random.rand(28), items.join(","))
  end
end

def main(count)
  text = generate_orders(count, Random.new(42))
  orders = text.map { |line| Order.parse(line) }
  report = Report.new(orders, PriceList.new(PRODUCTS))
  html = report.html
  json = report.json
  puts "#{orders.size} orders, #{html.size} bytes of HTML, #{JSON.parse(json)["customers"].size} customers"
end

main(Integer(ARGV.fetch(0, "60000")))
