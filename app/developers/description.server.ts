import { describe, type Endpoint } from './openapi.server.ts'
import type { OpenApi } from './operation.ts'

/** Of the server that this process last made: all that it makes have the same. */
let endpoints: readonly Endpoint[] = []
let made: Promise<OpenApi> | undefined

export function noteEndpoints(noted: readonly Endpoint[]) {
  endpoints = noted
  made = undefined
}

/** The description of all endpoints, made when somebody first asks for it. */
export function findDescription(): Promise<OpenApi> {
  made ??= describe(endpoints)
  made.catch(() => (made = undefined))
  return made
}
