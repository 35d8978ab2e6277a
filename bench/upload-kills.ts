// Uploads through 20 lost connections and 20 kill -9, between three processes on PostgreSQL, with a shared folder and with a bucket: checksums, and recorded bytes that are lost.
import { spawnSync } from 'node:child_process'

const test = 'app/datasets/import/upload-processes.postgres.test.ts'
const env = { UPLOAD_ROUNDS: '20', ...process.env }
const { status } = spawnSync('vitest', ['run', '--config', 'vitest.postgres.config.ts', test], { stdio: 'inherit', env })
process.exitCode = status ?? 1
