import { browserTests, embeddedTests, postgresTests, staticSteps, types } from './checks.ts'
import { runSteps } from './steps.ts'

// One after the other: each kind of tests keeps two processors busy by itself, and side by side they all take half as long again.
process.exitCode = (await runSteps(types, [...staticSteps, embeddedTests, postgresTests, browserTests])) ? 0 : 1
