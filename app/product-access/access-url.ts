import { productUrl } from '#app/product-form/product-answers.ts'

export const entitlementsUrl = (productId: string) => `${productUrl(productId)}/entitlements`
