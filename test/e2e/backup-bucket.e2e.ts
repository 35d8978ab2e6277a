import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { MOTO_BUCKET, startMoto } from '#test/moto.ts'
import { atLength } from '#test/length.ts'
import { expect, test } from './fixtures.ts'
import { runCommand, startServer } from './server.ts'
import { postEnquiry } from './steps.ts'

const command = async (settings: Record<string, string>, ...args: string[]) => (await runCommand(settings, ...args)).stdout

test.use({ owned: true })
test.slow()

test(
  'backups go encrypted into a bucket, the oldest ones leave, a drill restores the newest, and so does another machine',
  atLength,
  async ({ page, site }) => {
    await postEnquiry(page)
    const moto = await startMoto()
    const bucket = Object.fromEntries(
      Object.entries(moto.settings)
        .filter(([name]) => name !== 'S3_BUCKET')
        .map(([name, value]) => [`BACKUP_${name}`, value]),
    )
    const settings = { DATA_DIR: site.dataDir, ...bucket, BACKUP_PASSPHRASE: 'correct horse battery staple' }
    const to = `s3://${MOTO_BUCKET}/site`
    for (const _round of [1, 2]) await command(settings, 'backup', '--to', to, '--keep', '2')
    // Another program's object below the same prefix.
    await fetch(`${moto.endpoint}/${MOTO_BUCKET}/site/notes.txt`, { method: 'PUT', body: 'ours' })
    const said = await command(settings, 'backup', '--to', to, '--keep', '2')
    expect(said).toMatch(/^Backed up \d+ rows of \d+ tables and \d+ files? to s3:\/\/\S+\.tar\.gz\.age\. Removed 1 older backup\.\n$/)
    const list = await (await fetch(`${moto.endpoint}/${MOTO_BUCKET}?list-type=2&prefix=site/`)).text()
    const keys = [...list.matchAll(/<Key>(.+?)<\/Key>/g)].map(([, key = '']) => key)
    expect(keys.filter((key) => key.endsWith('.tar.gz.age'))).toHaveLength(2)
    expect(keys).toContain('site/notes.txt')

    expect(await command(settings, 'drill', `${to}/`)).toMatch(
      /^The backup of \S+Z can be restored: \d+ rows of .* are the same, and its keys open\./,
    )
    const stranger = { ...settings, BACKUP_PASSPHRASE: 'another passphrase' }
    await expect(command(stranger, 'drill', `${to}/`)).rejects.toMatchObject({
      stderr: expect.stringContaining('BACKUP_PASSPHRASE is another one'),
    })
    const { BACKUP_PASSPHRASE: _passphrase, ...without } = settings
    await expect(command(without, 'drill', `${to}/`)).rejects.toMatchObject({ stderr: expect.stringContaining('set BACKUP_PASSPHRASE') })
    await expect(command(settings, 'drill', `s3://${MOTO_BUCKET}/nothing/`)).rejects.toMatchObject({
      stderr: expect.stringContaining(`There is no backup at s3://${MOTO_BUCKET}/nothing/`),
    })
    expect(readdirSync(path.join(site.dataDir, 'temporary'))).toEqual([])

    const elsewhere = `${site.dataDir}-elsewhere`
    await command({ ...settings, DATA_DIR: elsewhere }, 'restore', `${to}/`)
    const other = await startServer({ DATA_DIR: elsewhere })
    expect(await other.stop()).toBe(0)
    rmSync(elsewhere, { recursive: true })
    await moto.stop()
  },
)
