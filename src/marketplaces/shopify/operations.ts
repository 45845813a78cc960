/** One GraphQL document, as it is sent. */
export interface Operation {
  /** The field of the root that it asks for. */
  name: string;
  effect: 'read' | 'write';
  /**
   * Points that the shop reserves, by the published rule: an object is 1, a mutation 10, a connection its size and
   * 2, all else nothing. The shop refuses more than 1000.
   */
  cost: number;
  document: string;
}

const LINE_FIELDS = `
fragment LineFields on LineItem {
  id sku name quantity currentQuantity requiresShipping
  priceAfterAllDiscountsBeforeTaxesSet { shopMoney { amount } }
  taxLines { priceSet { shopMoney { amount } } }
}`;

const ORDER_FIELDS = `
fragment OrderFields on Order {
  id name createdAt updatedAt cancelledAt test email phone note
  currencyCode presentmentCurrencyCode taxesIncluded requiresShipping
  displayFinancialStatus displayFulfillmentStatus paymentGatewayNames
  currentTotalPriceSet { shopMoney { amount } }
  currentTotalTaxSet { shopMoney { amount } }
  currentShippingPriceSet { shopMoney { amount } }
  shippingLine { taxLines { priceSet { shopMoney { amount } } } }
  billingAddress { ...AddressFields }
  shippingAddress { ...AddressFields }
  localizedFields(first: 5, countryCodes: [IT], purposes: [TAX]) { nodes { key value } }
  lineItems(first: 5) { nodes { ...LineFields } pageInfo { hasNextPage endCursor } }
}
fragment AddressFields on MailingAddress { name company address1 address2 city zip provinceCode countryCodeV2 phone }
${LINE_FIELDS}`;

export const READ_SCOPES: Operation = {
  name: 'currentAppInstallation',
  effect: 'read',
  cost: 2,
  document: 'query { currentAppInstallation { accessScopes { handle } } }',
};

export const LIST_ORDERS: Operation = {
  name: 'orders',
  effect: 'read',
  cost: 522,
  document: `
query ($search: String!, $after: String) {
  orders(first: 10, after: $after, query: $search, sortKey: UPDATED_AT) {
    nodes { ...OrderFields }
    pageInfo { hasNextPage endCursor }
  }
}
${ORDER_FIELDS}`,
};

export const READ_ORDER: Operation = {
  name: 'order',
  effect: 'read',
  cost: 52,
  document: `query ($id: ID!) { order(id: $id) { ...OrderFields } }
${ORDER_FIELDS}`,
};

export const READ_LINES: Operation = {
  name: 'order',
  effect: 'read',
  cost: 603,
  document: `
query ($id: ID!, $after: String) {
  order(id: $id) { lineItems(first: 100, after: $after) { nodes { ...LineFields } pageInfo { hasNextPage endCursor } } }
}
${LINE_FIELDS}`,
};

/** Finds orders whose own time did not move when their fulfilment was held, released or moved. */
export const LIST_FULFILLMENT_ORDERS: Operation = {
  name: 'fulfillmentOrders',
  effect: 'read',
  cost: 102,
  document: `
query ($search: String!, $after: String) {
  fulfillmentOrders(first: 50, after: $after, query: $search, includeClosed: true, sortKey: UPDATED_AT) {
    nodes { updatedAt order { id updatedAt } }
    pageInfo { hasNextPage endCursor }
  }
}`,
};

export const READ_FULFILLMENT: Operation = {
  name: 'order',
  effect: 'read',
  cost: 255,
  document: `
query ($id: ID!) {
  order(id: $id) {
    name cancelledAt displayFulfillmentStatus
    fulfillments(first: 100) { id status trackingInfo(first: 20) { company number url } }
    fulfillmentOrders(first: 50) {
      nodes {
        id status
        supportedActions { action }
        fulfillmentHolds { reason }
        assignedLocation { location { id } }
      }
    }
  }
}`,
};

export const READ_LINES_TO_SHIP: Operation = {
  name: 'fulfillmentOrder',
  effect: 'read',
  cost: 203,
  document: `
query ($id: ID!, $after: String) {
  fulfillmentOrder(id: $id) {
    lineItems(first: 100, after: $after) {
      nodes { id remainingQuantity requiresShipping lineItem { id } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`,
};

export const READ_SHIPPED_LINES: Operation = {
  name: 'fulfillment',
  effect: 'read',
  cost: 203,
  document: `
query ($id: ID!, $after: String) {
  fulfillment(id: $id) {
    fulfillmentLineItems(first: 100, after: $after) {
      nodes { quantity lineItem { id } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`,
};

export const UPDATE_TRACKING: Operation = {
  name: 'fulfillmentTrackingInfoUpdate',
  effect: 'write',
  cost: 13,
  document: `
mutation ($id: ID!, $tracking: FulfillmentTrackingInput!, $notify: Boolean) {
  fulfillmentTrackingInfoUpdate(fulfillmentId: $id, trackingInfoInput: $tracking, notifyCustomer: $notify) {
    fulfillment { id trackingInfo(first: 20) { company number url } }
    userErrors { field message }
  }
}`,
};

export const CREATE_FULFILLMENT: Operation = {
  name: 'fulfillmentCreate',
  effect: 'write',
  cost: 14,
  document: `
mutation ($fulfillment: FulfillmentInput!) {
  fulfillmentCreate(fulfillment: $fulfillment) {
    fulfillment { id trackingInfo(first: 20) { company number url } order { displayFulfillmentStatus } }
    userErrors { field message }
  }
}`,
};
