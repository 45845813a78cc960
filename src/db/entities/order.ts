import { defineEntity, p } from '@mikro-orm/core';
import { ORDER_STATUSES } from '../../domain/order-status.ts';
import { companyFilter, createdAt, instant } from './columns.ts';
import { Company, Product, Warehouse } from './company.ts';
import { Connection, Contract } from './partner.ts';

const CustomerSchema = defineEntity({
  name: 'Customer',
  tableName: 'customers',
  filters: companyFilter,
  indexes: [
    { properties: ['companyId'] },
    {
      name: 'customers_search_words',
      expression:
        "create index customers_search_words on customers using gin (search_words_of(full_name || ' ' || billing_company)) with (fastupdate = off)",
    },
    {
      name: 'customers_search_email',
      expression:
        "create index customers_search_email on customers (company_id, lower(email) text_pattern_ops, id) where email <> ''",
    },
    {
      name: 'customers_search_phone',
      expression: `create index customers_search_phone on customers (company_id, "right"(regexp_replace(phone, '\\D', '', 'g'), 9), id) where phone <> ''`,
    },
  ],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    fullName: p.text(),
    email: p.text().default(''),
    phone: p.text().default(''),
    billingCompany: p.text().default(''),
    billingAddress: p.text().default(''),
    billingCity: p.text().default(''),
    billingState: p.text().default(''),
    billingZip: p.text().default(''),
    billingCountry: p.text().default(''),
    billingVat: p.text().default(''),
    billingCodiceFiscale: p.text().default(''),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});
export class Customer extends CustomerSchema.class {}
CustomerSchema.setClass(Customer);

const CustomerAddressSchema = defineEntity({
  name: 'CustomerAddress',
  tableName: 'customer_addresses',
  filters: companyFilter,
  indexes: [
    { properties: ['companyId', 'customerId'] },
    {
      name: 'customer_addresses_search_words',
      expression:
        "create index customer_addresses_search_words on customer_addresses using gin (search_words_of(full_name || ' ' || company)) with (fastupdate = off)",
    },
    {
      name: 'customer_addresses_search_phone',
      expression: `create index customer_addresses_search_phone on customer_addresses (company_id, "right"(regexp_replace(phone, '\\D', '', 'g'), 9), id) where phone <> ''`,
    },
    {
      name: 'customer_addresses_search_zip',
      expression: 'create index customer_addresses_search_zip on customer_addresses (company_id, zip, id)',
    },
  ],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    customerId: p.manyToOne(Customer).mapToPk().fieldName('customer_id'),
    fullName: p.text(),
    company: p.text().default(''),
    phone: p.text().default(''),
    address: p.text(),
    address2: p.text().default(''),
    city: p.text(),
    state: p.text().default(''),
    zip: p.text(),
    country: p.text(),
    countryCode: p.text(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});
export class CustomerAddress extends CustomerAddressSchema.class {}
CustomerAddressSchema.setClass(CustomerAddress);

/** One parcel as a client described it. */
export interface RequestedParcel {
  weightGrams: number;
  lengthMm: number;
  widthMm: number;
  heightMm: number;
}

const OrderSchema = defineEntity({
  name: 'Order',
  tableName: 'orders',
  filters: companyFilter,
  uniques: [{ properties: ['connectionId', 'externalOrderId'] }],
  indexes: [
    { properties: ['companyId', 'id'] },
    { properties: ['companyId', 'status', 'id'] },
    { properties: ['companyId', 'orderNumber'] },
    {
      name: 'orders_with_problems',
      expression: "create index orders_with_problems on orders (company_id, id) where problems <> '[]'::jsonb",
    },
    {
      name: 'orders_search_number',
      expression: 'create index orders_search_number on orders (company_id, lower(order_number) text_pattern_ops)',
    },
    {
      name: 'orders_search_external_id',
      expression:
        'create index orders_search_external_id on orders (company_id, lower(external_order_id) text_pattern_ops) where external_order_id is not null',
    },
    {
      name: 'orders_search_external_number',
      expression:
        'create index orders_search_external_number on orders (company_id, lower(external_order_number) text_pattern_ops) where external_order_number is not null',
    },
    {
      name: 'orders_imported',
      expression:
        'create index orders_imported on orders (company_id, connection_id, created_at) where connection_id is not null',
    },
    {
      name: 'orders_joined',
      expression: 'create index orders_joined on orders (joined_into) where joined_into is not null',
    },
    {
      name: 'orders_untold',
      expression:
        "create index orders_untold on orders (company_id, connection_id, id) where external_order_id is not null and (sent_to_marketplace_at is null or is_split) and status in ('transmitted', 'manifested', 'shipped', 'delivered', 'held', 'returned')",
    },
    {
      name: 'orders_confirmed',
      expression:
        'create index orders_confirmed on orders (company_id, connection_id, id) where sent_to_marketplace_at is not null',
    },
    {
      name: 'orders_read_back',
      expression:
        'create index orders_read_back on orders (company_id, connection_id, id) where read_back_at is not null',
    },
    {
      name: 'orders_remembered',
      expression:
        "create index orders_remembered on orders (company_id, id) where forgotten_at is null and status in ('delivered', 'returned', 'cancelled', 'shipped', 'transmitted', 'manifested')",
    },
    {
      name: 'orders_to_forget',
      expression:
        'create index orders_to_forget on orders (company_id, id) where forget_asked_at is not null and forgotten_at is null',
    },
    {
      name: 'orders_told',
      expression: 'create index orders_told on orders (company_id, told_number) where told_number is not null',
    },
  ],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    orderNumber: p.text(),
    status: p.enum(ORDER_STATUSES).default('pending'),
    currency: p.text().default('EUR'),
    paymentMethod: p.text().default('PREPAID'),
    /** Cents that the courier collects; null: nothing. */
    codCents: p.integer().strictNullable(),
    netCents: p.integer(),
    vatCents: p.integer(),
    grossCents: p.integer(),
    shippingNetCents: p.integer().default(0),
    shippingGrossCents: p.integer().default(0),
    insurance: p.boolean().default(false),
    insuranceCents: p.integer().default(0),
    buyerOrderNote: p.text().default(''),
    customerId: p.manyToOne(Customer).mapToPk().fieldName('customer_id').index(),
    customerAddressId: p.manyToOne(CustomerAddress).mapToPk().fieldName('customer_address_id').index(),
    warehouseId: p.manyToOne(Warehouse).mapToPk().fieldName('warehouse_id').strictNullable(),
    contractId: p.manyToOne(Contract).mapToPk().fieldName('contract_id').strictNullable(),
    connectionId: p.manyToOne(Connection).mapToPk().fieldName('connection_id').strictNullable(),
    externalOrderId: p.text().strictNullable(),
    externalOrderNumber: p.text().strictNullable(),
    externalModifiedAt: instant().strictNullable(),
    parcels: p.json().$type<RequestedParcel[]>(),
    carrierOptions: p.json().$type<string[]>(),
    /** The carrier's id of a locker or shop; null: to the address. */
    pickupPointId: p.text().strictNullable(),
    /**
     * Raised by each change of what is shipped: a correction, a split, a join. A shipment that was planned from an older revision
     * is not written.
     */
    revision: p.integer().default(0),
    /** It is shipped in the parts of `OrderPart`, each on its own. */
    isSplit: p.boolean().default(false),
    /** The leading order of its join, whose shipment carries all of them; its own id when it leads. Null: not joined. */
    joinedInto: p.integer().strictNullable(),
    /** The number that its shop has of a shipment which another order led; null: none. */
    toldNumber: p.text().strictNullable(),
    /** When a person last corrected it here; an import no longer overwrites it then. */
    correctedAt: instant().strictNullable(),
    /** Why it was cancelled here; empty: without a reason; null: it was not, or its shop did. */
    cancelReason: p.text().strictNullable(),
    /** The last failure in plain words; kept until something succeeds. */
    error: p.text().strictNullable(),
    /** Reasons why an imported order cannot be shipped as it is. */
    problems: p.json().$type<string[]>(),
    marketplaceCreatedAt: instant().strictNullable(),
    importedAt: createdAt(),
    sentToMarketplaceAt: instant().strictNullable(),
    /** When its shop showed the number that it was told before. Null: the last confirmation wrote it. */
    readBackAt: instant().strictNullable(),
    sentToCarrierAt: instant().strictNullable(),
    sentToErpAt: instant().strictNullable(),
    /** When its person asked to be forgotten; the data goes when the order ends. */
    forgetAskedAt: instant().strictNullable(),
    /** When the data of its person was erased: an import no longer writes it, and nothing is shipped for it. */
    forgottenAt: instant().strictNullable(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});
export class Order extends OrderSchema.class {}
OrderSchema.setClass(Order);

const OrderItemSchema = defineEntity({
  name: 'OrderItem',
  tableName: 'order_items',
  filters: companyFilter,
  indexes: [
    { properties: ['orderId'] },
    {
      name: 'order_items_search_sku',
      expression:
        "create index order_items_search_sku on order_items (company_id, lower(sku) text_pattern_ops, order_id) where sku <> ''",
    },
  ],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    orderId: p.manyToOne(Order).mapToPk().fieldName('order_id').deleteRule('cascade'),
    position: p.integer(),
    productId: p.manyToOne(Product).mapToPk().fieldName('product_id').strictNullable(),
    /** The client's own reference to the product, whether or not the catalogue has it. */
    clientProductId: p.uuid().strictNullable(),
    externalLineId: p.text().strictNullable(),
    sku: p.text().default(''),
    title: p.text().default(''),
    quantity: p.integer(),
    /** Four decimals, as computed. */
    unitPriceGross: p.decimal('string').precision(14).scale(4),
    unitPriceNet: p.decimal('string').precision(14).scale(4),
    totalGrossCents: p.integer(),
    totalNetCents: p.integer(),
  },
});
export class OrderItem extends OrderItemSchema.class {}
OrderItemSchema.setClass(OrderItem);

/** Some pieces of one line of an order. */
export interface PartLine {
  itemId: number;
  quantity: number;
}

const OrderPartSchema = defineEntity({
  name: 'OrderPart',
  tableName: 'order_parts',
  filters: companyFilter,
  indexes: [{ properties: ['orderId'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    orderId: p.manyToOne(Order).mapToPk().fieldName('order_id').deleteRule('cascade'),
    /** From 1; a later split goes on counting. */
    position: p.integer(),
    /** Empty when the order was split by parcels, which does not say which line is where. */
    lines: p.json().$type<PartLine[]>(),
    /** Empty: one parcel with the weight of the lines. */
    parcels: p.json().$type<RequestedParcel[]>(),
    /** Cents that the courier collects for this part; null: nothing. */
    codCents: p.integer().strictNullable(),
    /** Gross value of the lines, for insurance. */
    valueCents: p.integer(),
    /** Set when a later split replaced it: it has no live shipment and gets none. */
    replacedAt: instant().strictNullable(),
    createdAt: createdAt(),
  },
});
/** The content of one shipment of a split order. An order that was never split has no parts. */
export class OrderPart extends OrderPartSchema.class {}
OrderPartSchema.setClass(OrderPart);
