export const PRODUCTS = '/api/data-products'
/** The products that the current user has downloaded. */
export const OWN_DOWNLOADS = '/api/user/downloads'
/** The catalog page; product pages are below it. */
export const MARKETPLACE = '/data-marketplace'
/** The documentation of the Data API with the examples of one dataset. */
export const apiDocsOf = (slug: string) => `/developers?dataset=${slug}`
