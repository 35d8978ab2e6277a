import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Packages = Record<string, { version?: string; optionalDependencies?: Record<string, string> }>

test('the lockfile names the binaries of every platform, or npm ci refuses it', () => {
  const { packages }: { packages: Packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isFoundFrom(place, name, packages)),
  )
  expect(missing).toEqual([])
})

/** Node's package resolution: the folder itself, then each one above it. */
function isFoundFrom(place: string, name: string, packages: Packages): boolean {
  if (packages[`${place}${place && '/'}node_modules/${name}`]) return true
  if (!place) return false
  return isFoundFrom(place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/'))), name, packages)
}
