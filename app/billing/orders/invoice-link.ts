/** The page of staff that shows an invoice in its list. */
export const invoiceLink = (number: string) => `/admin/billing?tab=invoices&q=${encodeURIComponent(number)}`
