/** Reads the period of a subscription at its provider. */
export const SYNC_JOB = 'subscriptions.sync'
/** Ends a subscription at its provider. */
export const CANCEL_JOB = 'subscriptions.cancel'
/** Tells the provider the price of the next period. */
export const PRICE_JOB = 'subscriptions.price'
