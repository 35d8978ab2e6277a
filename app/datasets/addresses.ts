export const PRODUCTS = '/api/data-products'
/** The products that this person has downloaded. */
export const OWN_DOWNLOADS = '/api/user/downloads'
/** The page of products, and below it one for each. */
export const MARKETPLACE = '/data-marketplace'
