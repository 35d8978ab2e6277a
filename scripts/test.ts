import { browserTests, embeddedTests, lint, postgresTests, routeTypes, textSteps, types } from './checks.ts'
import { runSteps } from './steps.ts'

// One kind of tests after the other: each fully uses two processors, and in parallel they all take half as long again.
const tests = [embeddedTests, postgresTests, browserTests]
process.exitCode = (await runSteps([[routeTypes]], [[types], [...textSteps, lint]], [tests])) ? 0 : 1
