import { productUrl } from './product-urls.ts'

export const entitlementsUrl = (productId: string) => `${productUrl(productId)}/entitlements`
