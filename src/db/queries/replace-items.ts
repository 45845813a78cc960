import { OrderItem } from '../entities/index.ts';
import type { Em } from '../orm.ts';

/**
 * Replaces all items of an order. It looks up their products as for a new order: by the client's id, else by the sku.
 * They fill in what the client left out.
 */
export async function replaceItems(
  tx: Em,
  {
    companyId,
    orderId,
    items,
  }: {
    companyId: number;
    orderId: number;
    items: readonly Omit<OrderItem, 'id' | 'companyId' | 'orderId' | 'productId'>[];
  },
): Promise<void> {
  await tx.nativeDelete(OrderItem, { orderId, companyId });
  await tx.execute(
    `insert into order_items (company_id, order_id, position, product_id, client_product_id, sku, title, quantity, unit_price_gross,
                              unit_price_net, total_gross_cents, total_net_cents)
     select ?, ?, position, product.id, "clientProductId", coalesce(nullif(item.sku, ''), product.sku, ''),
            coalesce(nullif(item.title, ''), product.title, item.sku), quantity, "unitPriceGross", "unitPriceNet",
            "totalGrossCents", "totalNetCents"
       from jsonb_to_recordset(?::jsonb) as item (position int, "clientProductId" uuid, sku text, title text, quantity int,
            "unitPriceGross" numeric, "unitPriceNet" numeric, "totalGrossCents" int, "totalNetCents" int)
       left join lateral (
         select id, sku, title from products where company_id = ? and id = item."clientProductId"
         union all
         select id, sku, title from products where company_id = ? and sku = item.sku and item.sku <> ''
         limit 1
       ) product on true`,
    [companyId, orderId, JSON.stringify(items), companyId, companyId],
  );
}
