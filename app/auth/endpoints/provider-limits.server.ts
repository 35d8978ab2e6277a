import { perVisitor } from '#app/platform/http/http.server.ts'

/** Wide, because a whole office can share an address. Each sign-in stores a row until it expires. */
export const authorizeLimit = perVisitor('auth-authorize', 150, '5 minutes')
export const callbackLimit = perVisitor('auth-callback', 150, '5 minutes')
export const identityLimit = perVisitor('auth-identity', 30, '5 minutes')
