import { browserTests, embeddedTests, postgresTests, staticSteps, types } from './checks.ts'
import { runSteps } from './steps.ts'

// One after the other: each kind of tests fully uses two processors, and in parallel they all take half as long again.
process.exitCode = (await runSteps(types, [...staticSteps, embeddedTests, postgresTests, browserTests])) ? 0 : 1
