/** How a cell is read. A `code` is a number that nothing is computed with, such as a phone number. */
export type CellKind =
  | 'text'
  | 'note'
  | 'code'
  | 'number'
  | 'yes-no'
  | 'amount-or-yes'
  | 'country'
  | 'day'
  | 'id'
  | 'id-or-key'
  | 'list';

/** A column that a sheet of orders may have. */
export interface SheetColumn {
  field: string;
  /** JSON pointer in the body of `POST /orders`; `*` stands for the line or parcel. Null: the body has no such field. */
  pointer: string | null;
  kind: CellKind;
  /** Accepted headers; case, accents, spaces and punctuation do not count. */
  headers: readonly string[];
  /** The value belongs to the row, and not to the whole order. */
  ofLine?: true;
  /** Several columns may mean it; the first filled one counts. */
  mayRepeat?: true;
}

/** All columns, each with its English and Italian headers. */
export const SHEET_COLUMNS = [
  {
    field: 'order_number',
    pointer: '/order_number',
    kind: 'code',
    headers: ['order number', 'order no', 'order', 'numero ordine', 'n ordine', 'nr ordine', 'num ordine', 'ordine'],
  },
  { field: 'date', pointer: null, kind: 'day', headers: ['date', 'order date', 'data', 'data ordine'] },
  {
    field: 'name',
    pointer: '/shipping/full_name',
    kind: 'text',
    headers: [
      ...['name', 'full name', 'first name', 'recipient', 'customer', 'customer name', 'recipient name'],
      ...['nome', 'nome e cognome', 'nome cognome', 'cognome e nome', 'nominativo', 'destinatario', 'cliente'],
    ],
  },
  { field: 'surname', pointer: null, kind: 'text', headers: ['surname', 'last name', 'cognome'] },
  {
    field: 'company',
    pointer: '/shipping/company',
    kind: 'text',
    headers: ['company', 'company name', 'ragione sociale', 'rag soc', 'azienda', 'ditta', 'società'],
  },
  {
    field: 'street',
    pointer: '/shipping/address',
    kind: 'text',
    headers: ['street', 'address', 'address 1', 'street address', 'indirizzo', 'indirizzo 1', 'via'],
  },
  {
    field: 'house_number',
    pointer: null,
    kind: 'code',
    headers: ['house number', 'house no', 'street number', 'civico', 'numero civico', 'n civico', 'nr civico'],
  },
  {
    field: 'address2',
    pointer: '/shipping/address2',
    kind: 'text',
    headers: ['address 2', 'address line 2', 'indirizzo 2', 'scala', 'interno', 'presso', 'c/o'],
  },
  {
    field: 'zip',
    pointer: '/shipping/zip',
    kind: 'code',
    headers: ['zip', 'zip code', 'postal code', 'postcode', 'cap', 'codice postale', 'codice di avviamento postale'],
  },
  {
    field: 'city',
    pointer: '/shipping/city',
    kind: 'text',
    headers: ['city', 'town', 'città', 'località', 'comune', 'localita'],
  },
  {
    field: 'province',
    pointer: '/shipping/province',
    kind: 'text',
    headers: ['province', 'state', 'provincia', 'prov', 'pr'],
  },
  {
    field: 'country',
    pointer: '/shipping/country_code',
    kind: 'country',
    headers: ['country', 'country code', 'paese', 'nazione', 'stato', 'codice paese'],
  },
  {
    field: 'email',
    pointer: '/customer/email',
    kind: 'text',
    headers: ['email', 'e-mail', 'mail', 'posta elettronica'],
  },
  {
    field: 'phone',
    pointer: '/shipping/phone',
    kind: 'code',
    mayRepeat: true,
    headers: ['phone', 'telephone', 'mobile', 'telefono', 'tel', 'cellulare', 'cell', 'recapito telefonico'],
  },
  {
    field: 'note',
    pointer: '/note',
    kind: 'note',
    headers: ['note', 'notes', 'remarks', 'note ordine', 'annotazioni', 'note corriere', 'note consegna'],
  },
  {
    field: 'sku',
    pointer: '/items/*/sku',
    kind: 'code',
    ofLine: true,
    headers: ['sku', 'item code', 'product code', 'codice articolo', 'cod articolo', 'codice prodotto', 'articolo'],
  },
  {
    field: 'title',
    pointer: '/items/*/name',
    kind: 'text',
    ofLine: true,
    headers: [
      ...['title', 'item', 'item name', 'product', 'product name', 'description'],
      ...['titolo', 'descrizione', 'descrizione articolo', 'prodotto', 'nome prodotto', 'contenuto'],
    ],
  },
  {
    field: 'product_id',
    pointer: '/items/*/product_id',
    kind: 'code',
    ofLine: true,
    headers: ['product id', 'id prodotto'],
  },
  {
    field: 'quantity',
    pointer: '/items/*/quantity',
    kind: 'number',
    ofLine: true,
    headers: ['quantity', 'qty', 'pieces', 'quantità', 'q.tà', 'qta', 'pezzi', 'pz'],
  },
  {
    field: 'price',
    pointer: '/items/*/price',
    kind: 'number',
    ofLine: true,
    headers: ['price', 'unit price', 'prezzo', 'prezzo unitario', 'prezzo unit'],
  },
  {
    field: 'weight',
    pointer: '/parcels/*/weight_kg',
    kind: 'number',
    headers: ['weight', 'weight kg', 'total weight', 'peso', 'peso kg', 'peso totale', 'kg'],
  },
  {
    field: 'parcels',
    pointer: '/parcels',
    kind: 'number',
    headers: ['parcels', 'packages', 'colli', 'numero colli', 'n colli', 'nr colli'],
  },
  {
    field: 'length',
    pointer: '/parcels/*/length_cm',
    kind: 'number',
    headers: ['length', 'length cm', 'lunghezza', 'lunghezza cm'],
  },
  {
    field: 'width',
    pointer: '/parcels/*/width_cm',
    kind: 'number',
    headers: ['width', 'width cm', 'larghezza', 'larghezza cm'],
  },
  {
    field: 'height',
    pointer: '/parcels/*/height_cm',
    kind: 'number',
    headers: ['height', 'height cm', 'altezza', 'altezza cm'],
  },
  {
    field: 'payment',
    pointer: '/payment_method',
    kind: 'text',
    headers: ['payment', 'payment method', 'pagamento', 'metodo di pagamento', 'metodo pagamento', 'tipo pagamento'],
  },
  {
    field: 'cod',
    pointer: '/cod_amount',
    kind: 'amount-or-yes',
    headers: ['cod', 'cod amount', 'cash on delivery', 'contrassegno', 'importo contrassegno'],
  },
  {
    field: 'shipping_cost',
    pointer: '/shipping_cost',
    kind: 'number',
    headers: ['shipping cost', 'shipping', 'spese di spedizione', 'spese spedizione', 'costo spedizione'],
  },
  {
    field: 'insurance',
    pointer: '/insurance',
    kind: 'yes-no',
    headers: ['insurance', 'insured', 'assicurazione', 'assicurato', 'assicurata'],
  },
  {
    field: 'warehouse',
    pointer: '/warehouse_id',
    kind: 'id-or-key',
    headers: ['warehouse', 'warehouse id', 'magazzino', 'deposito'],
  },
  {
    field: 'contract',
    pointer: '/carrier_company_id',
    kind: 'id',
    headers: ['contract', 'contract id', 'carrier company id', 'contratto', 'id contratto'],
  },
  {
    field: 'services',
    pointer: '/carrier_options',
    kind: 'list',
    headers: ['services', 'carrier options', 'carrier services', 'servizi', 'servizi accessori'],
  },
  {
    field: 'pickup_point',
    pointer: '/pickup_point_id',
    kind: 'code',
    headers: ['pickup point', 'pickup point id', 'locker', 'punto di ritiro', 'punto ritiro'],
  },
  {
    field: 'billing_company',
    pointer: '/billing/company',
    kind: 'text',
    headers: ['billing company', 'ragione sociale fatturazione', 'intestatario fattura'],
  },
  {
    field: 'billing_street',
    pointer: '/billing/address',
    kind: 'text',
    headers: ['billing address', 'billing street', 'indirizzo fatturazione', 'indirizzo di fatturazione'],
  },
  {
    field: 'billing_zip',
    pointer: '/billing/zip',
    kind: 'code',
    headers: ['billing zip', 'billing postal code', 'cap fatturazione', 'cap di fatturazione'],
  },
  {
    field: 'billing_city',
    pointer: '/billing/city',
    kind: 'text',
    headers: ['billing city', 'città fatturazione', 'città di fatturazione'],
  },
  {
    field: 'billing_province',
    pointer: '/billing/province',
    kind: 'text',
    headers: ['billing province', 'provincia fatturazione', 'provincia di fatturazione'],
  },
  {
    field: 'billing_country',
    pointer: '/billing/country_code',
    kind: 'country',
    headers: ['billing country', 'paese fatturazione', 'nazione fatturazione'],
  },
  {
    field: 'vat_number',
    pointer: '/billing/vat_number',
    kind: 'code',
    headers: ['vat number', 'vat', 'partita iva', 'p iva', 'piva'],
  },
  {
    field: 'tax_code',
    pointer: '/billing/tax_code',
    kind: 'code',
    headers: ['tax code', 'codice fiscale', 'cod fiscale', 'cf'],
  },
] as const satisfies readonly SheetColumn[];

export type SheetField = (typeof SHEET_COLUMNS)[number]['field'];

/** Each group needs one of its columns. */
export const NECESSARY: readonly (readonly SheetField[])[] = [
  ['order_number'],
  ['name', 'company'],
  ['street'],
  ['zip'],
  ['city'],
  ['sku', 'title'],
];
