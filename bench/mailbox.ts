// 2,000 emails of a real mail server, through 20 kill -9 and 20 cut connections on PostgreSQL: how many are stored once, and in how many seconds.
import { spawnSync } from 'node:child_process'

const test = 'app/leads/mailbox/mailbox-kills.postgres.test.ts'
const env = { MAILBOX_ROUNDS: '20', MAILBOX_EMAILS: '2000', ...process.env }
const { status } = spawnSync('vitest', ['run', '--config', 'vitest.postgres.config.ts', test], { stdio: 'inherit', env })
process.exitCode = status ?? 1
