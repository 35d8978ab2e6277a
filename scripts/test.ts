import { execFileSync } from 'node:child_process'
import { browserTests, embeddedTests, postgresTests, staticSteps } from './checks.ts'
import { runSteps } from './steps.ts'

execFileSync('react-router', ['typegen'], { stdio: 'inherit' })
// Browsers wait more than they work, so they share the time of the other tests.
process.exitCode = (await runSteps([embeddedTests, postgresTests], [...staticSteps, browserTests])) ? 0 : 1
