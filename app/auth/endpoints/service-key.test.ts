import { expect, test, vi } from 'vitest'
import { runCommand } from '#app/commands.server.ts'
import { startApp } from '#test/app.ts'
import { authClient } from '#test/auth.ts'

const app = await startApp()

async function print(...args: string[]): Promise<string> {
  const written: string[] = []
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  try {
    await runCommand(args)
    return written.join('').trim()
  } finally {
    spy.mockRestore()
  }
}

test('the command prints a key alone, and the key administers accounts until it ends', async () => {
  const key = await print('service-key', '--days', '2')
  const { role, sub, exp, iat } = JSON.parse(Buffer.from(key.split('.')[1] ?? '', 'base64url').toString())
  expect([role, sub, exp - iat]).toEqual(['service_role', undefined, 2 * 86_400])
  expect((await authClient(app)('GET', '/admin/users', undefined, { authorization: `Bearer ${key}` })).statusCode).toBe(200)
})

test.each(['0', '-1', 'ever', '10000'])('%s days are none', async (days) => {
  await expect(print('service-key', `--days=${days}`)).rejects.toThrow(/^--days must be a whole number/)
})
