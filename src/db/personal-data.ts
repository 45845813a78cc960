/** The fate of each column of a table, when the person of an order is forgotten. Columns are separated by spaces. */
export interface Fates {
  /** Finds the rows of the orders `a.orders` and their shipments `a.shipments`, of the company `a.company`. */
  of?: string;
  /** The value that each column gets in those rows. */
  erased?: Readonly<Record<string, string>>;
  /** Columns that may name a person, and whose rows are found or deleted in a way of their own. */
  gone?: string;
  /** Columns that belong to a person's order and stay: places, amounts, statuses, numbers; or the company's own people. */
  kept?: string;
  /** Columns that hold no person. */
  none?: string;
}

/** Every column of every table. A test fails for a column that is missing here. */
export const PERSONAL_DATA: Readonly<Record<string, Fates>> = {
  address_verdicts: {
    /** Deleted by the hash of the address. */
    gone: 'address_hash message flags',
    kept: 'status',
    none: 'id company_id carrier_id checked_at',
  },
  api_keys: {
    none: 'id company_id name prefix hash scopes address_ranges created_at last_used_at expires_at revoked_at',
  },
  audit_keys: {
    none: 'id sealed',
  },
  audit_links: {
    none: 'position audit_id key_id hash sealed_at',
  },
  audit_log: {
    kept: 'actor address operation targets',
    none: 'id company_id at channel target_count status code request_id is_replay',
  },
  audit_waiting: {
    none: 'audit_id',
  },
  carrier_outages: {
    none: 'id carrier_id failures since last_error next_probe_at',
  },
  carrier_services: {
    none: 'id carrier_id code name sort_order is_active created_at updated_at',
  },
  carriers: {
    none: 'id code name logo_url marketplace_carrier_code sort_order is_new is_active created_at updated_at',
  },
  companies: {
    kept: 'name address postal_code city province country vat_number phone email',
    none: 'id key settings shipping_rules default_contract_id created_at updated_at',
  },
  connections: {
    none: 'id company_id marketplace_id key label credentials config_fields percentage_fee detected imported_until last_import_error last_import_at importing_until import_enabled confirm_when_transmitted check_before_label is_connected is_partner id_partner delete_flag created_at updated_at',
  },
  contract_outages: {
    none: 'id company_id contract_id carrier_id failures since last_error failed_at next_probe_at',
  },
  contracts: {
    none: 'id company_id carrier_id key label credentials config_fields billing_import_config tariff_id service_tariffs coefficient max_weight_grams support_cod support_insurance default_cod_payment_type label_format is_connected is_partner id_partner held_listed_at delete_flag created_at updated_at',
  },
  customer_addresses: {
    of: `id in (select o.customer_address_id from orders o where o.company_id = a.company and o.id = any(a.orders))`,
    erased: {
      full_name: `''`,
      company: `''`,
      phone: `''`,
      address: `''`,
      address2: `''`,
    },
    kept: 'city state zip country country_code',
    none: 'id company_id customer_id created_at updated_at',
  },
  customers: {
    of: `id in (select o.customer_id from orders o where o.company_id = a.company and o.id = any(a.orders))`,
    erased: {
      full_name: `''`,
      email: `''`,
      phone: `''`,
      billing_company: `''`,
      billing_address: `''`,
      billing_vat: `''`,
      billing_codice_fiscale: `''`,
    },
    kept: 'billing_city billing_state billing_zip billing_country',
    none: 'id company_id created_at updated_at',
  },
  document_shipments: {
    /** Deleted with the document. */
    gone: '',
    none: 'id company_id document_id shipment_id',
  },
  documents: {
    /** Deleted as a whole, with the object in the bucket; a carrier's list of several shipments too. */
    gone: 'bytes bucket_key sha256',
    kept: 'kind size content_type',
    none: 'id company_id shipment_id position store created_at',
  },
  event_counters: {
    none: 'id company_id last_sequence',
  },
  event_deliveries: {
    none: 'id company_id endpoint_id event_id sequence type is_replay number http_status error duration_ms started_at',
  },
  event_endpoints: {
    none: 'id company_id key url types credentials previous_secret_until is_enabled disabled_at disabled_reason delivered_sequence replay_from replay_to attempt running_until last_run_at is_reliable doubted_until failures failing_since next_try_at last_error created_at updated_at',
  },
  events: {
    none: 'id company_id sequence type occurred_at data',
  },
  exchanges: {
    of: `shipment_id = any(a.shipments)`,
    erased: {
      bodies: `null`,
    },
    kept: 'url status error',
    none: 'id company_id shipment_id contract_id attempt_id request_id provider operation effect method duration_ms started_at',
  },
  forgotten_people: {
    kept: 'order_ids hashes',
    none: 'id company_id asked_at',
  },
  held_cases: {
    of: `shipment_id = any(a.shipments)`,
    erased: {
      reason_text: `''`,
      asked_note: `''`,
      decided_note: `''`,
    },
    kept: 'reason_code cause outcome',
    none: 'id company_id shipment_id warned_at opens_at opened_at deadline deadline_source is_releasable asked_action asked_at decided_action decided_via decided_at decided_request_id is_decision_certain confirmed_at closed_at created_at updated_at',
  },
  idempotency_keys: {
    /** Found by their text. */
    gone: 'body',
    kept: 'key request_hash location',
    none: 'id company_id claim result_id status content_type created_at',
  },
  import_failures: {
    of: `(connection_id, external_id) in (select o.connection_id, o.external_order_id from orders o where o.company_id = a.company and o.id = any(a.orders))`,
    erased: {
      message: `''`,
    },
    kept: 'external_id',
    none: 'id company_id connection_id tries created_at next_try_at',
  },
  installation: {
    none: 'id code key_check tracking_interval_ms created_at',
  },
  live_rates: {
    none: 'id company_id contract_id question rates asked_at',
  },
  manifest_items: {
    none: 'id company_id manifest_id shipment_id order_id restored_at',
  },
  manifests: {
    none: 'id company_id carrier_id contract_id first_id number status manifest_date total_shipments total_parcels total_weight_grams cod_cents created_at updated_at',
  },
  marketplaces: {
    none: 'id code name logo_url fields sort_order is_new allow_order_update_after_import created_at updated_at',
  },
  operation_items: {
    of: `order_id = any(a.orders) and (kind = 'release' or message <> '')`,
    erased: {
      message: `''`,
      result: `case when kind = 'release' then null else result end`,
    },
    kept: 'status failure_kind',
    none: 'id company_id operation_id kind order_id shipment_id contract_id connection_id pickup_id attempt created_at updated_at settled_at',
  },
  operations: {
    of: `id in (select i.operation_id from operation_items i where i.company_id = a.company and i.order_id = any(a.orders) and i.kind = 'release')`,
    erased: {
      input: `'{}'`,
    },
    none: 'id company_id kind request_id created_at',
  },
  order_corrections: {
    of: `order_id = any(a.orders)`,
    erased: {
      change: `'{}'`,
    },
    kept: 'changed',
    none: 'id company_id order_id kind status operation_id contract_id created_at settled_at',
  },
  order_items: {
    of: `order_id = any(a.orders)`,
    kept: 'sku title quantity unit_price_gross unit_price_net total_gross_cents total_net_cents external_line_id',
    none: 'id company_id order_id position product_id client_product_id',
  },
  order_parts: {
    none: 'id company_id order_id position lines parcels cod_cents value_cents replaced_at created_at',
  },
  orders: {
    of: `id = any(a.orders)`,
    erased: {
      buyer_order_note: `''`,
      pickup_point_id: `null`,
      cancel_reason: `left(cancel_reason, 0)`,
      error: `null`,
      problems: `'[]'`,
    },
    kept: 'order_number status currency payment_method cod_cents net_cents vat_cents gross_cents shipping_net_cents shipping_gross_cents insurance insurance_cents external_order_id external_order_number parcels told_number',
    none: 'id company_id customer_id customer_address_id warehouse_id contract_id connection_id external_modified_at carrier_options revision is_split joined_into corrected_at marketplace_created_at imported_at sent_to_marketplace_at read_back_at sent_to_carrier_at sent_to_erp_at forget_asked_at forgotten_at created_at updated_at',
  },
  parcels: {
    none: 'id company_id shipment_id position weight_grams length_mm width_mm height_mm',
  },
  partner_budgets: {
    none: 'key tokens taken updated_at',
  },
  partner_tokens: {
    none: 'key sealed expires_at fetching_until',
  },
  pickups: {
    none: 'id company_id contract_id warehouse_id date from_time to_time shipment_ids note status confirmation message created_at updated_at',
  },
  printers: {
    none: 'id company_id key name address format stations warehouse_id is_enabled fence busy_until last_job_at is_reachable last_error created_at updated_at',
  },
  products: {
    none: 'id company_id sku title weight_grams length_mm width_mm height_mm commodity_code origin_country created_at updated_at',
  },
  related_shipments: {
    of: `shipment_id = any(a.shipments)`,
    kept: 'tracking_number',
    none: 'id company_id shipment_id type date',
  },
  search_words: {
    /** Deleted unless another name of the company has the word. */
    gone: 'word',
    none: 'id company_id',
  },
  sessions: {
    none: 'id user_id hash created_at last_seen_at',
  },
  shipment_attempts: {
    of: `shipment_id = any(a.shipments)`,
    erased: {
      message: `null`,
    },
    kept: 'code result outcome reference',
    none: 'id company_id shipment_id operation number request_id started_at ended_at',
  },
  shipments: {
    of: `id = any(a.shipments)`,
    erased: {
      warnings: `'[]'`,
      failure: `failure || '{"message": ""}'`,
      surplus: `surplus || '{"message": ""}'`,
    },
    kept: 'tracking_number carrier_reference told_number reference weight_grams volume_cm3 cod_cents insured_cents process_status tracking_status',
    none: 'id company_id order_id part_id contract_id carrier_id direction attempt generation exhausted_at is_delayed parcel_count cod_payment_type options label_missing_since created_at updated_at booked_at printed_at transmitted_at cancelled_at picked_up_at delivered_at expected_delivery_at held_since last_event_at next_poll_at polled_at expired_at',
  },
  tariff_editions: {
    none: 'id company_id tariff_id valid_from valid_to price_list revision created_at updated_at',
  },
  tariffs: {
    none: 'id company_id key name price_list created_at updated_at',
  },
  tracking_events: {
    of: `shipment_id = any(a.shipments)`,
    erased: {
      description: `''`,
      note: `''`,
    },
    kept: 'code location status occurred_at fingerprint',
    none: 'id company_id shipment_id is_delayed context held_reason mapping_version received_at',
  },
  users: {
    kept: 'email name',
    none: 'id company_id role password_hash totp_secret totp_since totp_step recovery_codes created_at last_login_at disabled_at',
  },
  warehouses: {
    kept: 'name address city province zip country_code phone email',
    none: 'id company_id key is_default created_at updated_at',
  },
  webhook_deliveries: {
    none: 'id company_id connection_id delivery_id received_at',
  },
};

const SCOPE = 'from (select ?::int as company, ?::int[] as orders, ?::int[] as shipments) a';

/** Returns the statement that erases a table's columns; its values are the company, the orders and the shipments. */
export function erasureOf(table: string, { of, erased }: Fates): string | null {
  if (!of || !erased) return null;
  const values = Object.entries(erased).map(([column, value]) => `${column} = ${value}`);
  return `update ${table} set ${values.join(', ')} ${SCOPE} where ${table}.company_id = a.company and ${of}`;
}

/** Returns the statement that reads what a table holds about a person; it takes the same values. */
export function extractOf(table: string, { of, erased = {}, kept = '' }: Fates): string | null {
  if (!of) return null;
  const columns = ['id', ...Object.keys(erased), ...kept.split(' ')].filter(Boolean).map((name) => `${table}.${name}`);
  return `select ${columns.join(', ')} ${SCOPE} join ${table} on ${table}.company_id = a.company where ${of.replace(/^id /, `${table}.id `)} order by ${table}.id`;
}
