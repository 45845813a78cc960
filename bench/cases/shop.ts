/** A shop of any size without delay: `node bench/cases/shop.ts ORDERS`. Its orders are made when they are asked for, none is kept. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const DAYS_MS = 29 * 86_400_000;
const total = Number(process.argv[2]);
const first = Date.now() - DAYS_MS;
const step = DAYS_MS / total;

const address = {
  first_name: 'Chiara',
  last_name: 'Prova',
  company: '',
  address_1: 'Via Torino, 5',
  address_2: '',
  city: 'Milano',
  state: 'MI',
  postcode: '20123',
  country: 'IT',
  phone: '0200000001',
};

function orderAt(index: number): object {
  const at = new Date(first + index * step).toISOString().slice(0, 19);
  const line = (id: number) => ({
    id,
    name: 'Tazza in ceramica',
    sku: 'MUG-01',
    quantity: 1,
    total: '10.25',
    total_tax: '2.25',
  });
  return {
    id: index + 1,
    number: String(index + 1),
    status: 'processing',
    currency: 'EUR',
    date_created_gmt: at,
    date_modified_gmt: at,
    shipping_total: '4.84',
    shipping_tax: '1.06',
    total: '30.90',
    total_tax: '5.56',
    customer_note: '',
    billing: { ...address, email: 'chiara@example.com' },
    shipping: address,
    payment_method: 'bacs',
    line_items: [line(1), line(2)],
    shipping_lines: [{}],
  };
}

const server = createServer((request, response) => {
  const query = new URL(request.url ?? '', 'http://shop').searchParams;
  const indexOf = (name: string): number => Math.ceil((Date.parse(`${query.get(name)}Z`) - first) / step);
  const [from, until] = [Math.max(0, indexOf('modified_after')), Math.min(total, indexOf('modified_before'))];
  const [page, size] = [Number(query.get('page')), Number(query.get('per_page'))];
  const start = from + (page - 1) * size;
  const end = Math.min(until, start + size);
  const orders = Array.from({ length: Math.max(0, end - start) }, (_, index) => orderAt(start + index));
  response.setHeader('content-type', 'application/json');
  response.setHeader('x-wp-total', Math.max(0, until - from));
  response.setHeader('x-wp-totalpages', Math.max(0, Math.ceil((until - from) / size)));
  response.end(JSON.stringify(orders));
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
