import { embeddedTests, staticSteps, types } from './checks.ts'
import { runSteps } from './steps.ts'

process.exitCode = (await runSteps(types, [embeddedTests], staticSteps)) ? 0 : 1
