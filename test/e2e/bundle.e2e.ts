import { globSync, readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'

/** The build's public files, which anyone can read. */
const files = globSync('build/client/**/*.{js,css,html,json,svg,txt,webmanifest}').map((file) => ({
  file,
  text: readFileSync(file, 'utf8'),
}))

test('nothing for browsers holds code of the server, reads settings, or names one that is secret', () => {
  expect(files.length).toBeGreaterThan(50)
  const traces =
    /process\.env|import\.meta\.env|["'`]node:|sourceMappingURL|\b(SECRET|PASSWORD_HASH|DATABASE_URL|METRICS_TOKEN|JWT_(KEYS|SECRET)|\w+_SECRETS?\b|\w+_SECRET_KEY)|argon2|INSERT INTO|postgres:\/\//
  expect(files.flatMap(({ file, text }) => (traces.exec(text) ? `${file}: ${traces.exec(text)?.[0]}` : []))).toEqual([])
})

test('nothing of the environment in which it was built is in it', () => {
  const values = Object.entries(process.env).filter(
    ([name, value = '']) => /(TOKEN|SECRET|PASSWORD|_KEY)$/.test(name) && value.length >= 12,
  )
  expect(
    values.flatMap(([name, value = '']) => files.filter(({ text }) => text.includes(value)).map(({ file }) => `${file}: ${name}`)),
  ).toEqual([])
})
