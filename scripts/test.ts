import { browserTests, embeddedTests, postgresTests, staticSteps, types } from './checks.ts'
import { runSteps } from './steps.ts'

// Browsers wait more than they work, so they share the time of the other tests.
process.exitCode = (await runSteps(types, [embeddedTests, postgresTests], [...staticSteps, browserTests])) ? 0 : 1
