import { shortTests, staticSteps, types } from './checks.ts'
import { runSteps } from './steps.ts'

process.exitCode = (await runSteps(types, [shortTests], staticSteps)) ? 0 : 1
