import { productUrl } from '#app/product-form/product-urls.ts'

export const entitlementsUrl = (productId: string) => `${productUrl(productId)}/entitlements`
