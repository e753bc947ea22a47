// Whether there is an authority already, what it has, and where a new one goes. Looking changes nothing.
import { existsSync } from 'node:fs'
import {
  type Environment,
  effectiveSettings,
  foundSecrets,
  NO_TOKEN_YET,
  readNameauthValues,
  statedSettings,
} from '../../config/index.js'
import { presentAnswers } from '../answers.js'
import type { Texts } from '../question.js'
import { type EnvFile, readEnvFile, type SetupSources, type SetupTarget } from '../survey.js'
import { candidatesIn, prefixTarget, targetOf, usualTarget } from './places.js'
import { NAMEAUTH_QUESTIONS, type NameauthAnswers, type NameauthKey } from './questions.js'
import { SECRETS } from './secrets.js'

export interface NameauthSurvey extends EnvFile {
  /** The domain it sets; undefined: none. */
  readonly domain: string | undefined
  /** The present authority as answers: what a reconfiguration starts with. */
  readonly present: NameauthAnswers
  /** Secrets that are there already, one way or another. */
  readonly kept: ReadonlySet<NameauthKey>
}

export interface NameauthContext {
  readonly target: SetupTarget
  readonly survey: NameauthSurvey
  /** What is configured, and by what; undefined: nothing. */
  readonly configured: { readonly domain: string; readonly by: string } | undefined
}

export interface NameauthSources extends SetupSources {
  /** This env file and no other. */
  readonly envFile?: string | undefined
}

/** Throws ENV_FILE_UNREADABLE. */
export function findNameauth({ prefix, envFile, surroundings }: NameauthSources): NameauthContext {
  if (prefix !== undefined) return contextOf(prefixTarget(prefix))
  const there = envFile ?? candidatesIn(surroundings).find((path) => existsSync(path))
  const found = there === undefined ? undefined : contextOf(targetOf(there))
  const domain = domainIn(surroundings)
  const own = domain === undefined ? undefined : { domain, by: 'the environment' }
  if (found && (envFile !== undefined || found.configured)) return { ...found, configured: own ?? found.configured }
  return { ...contextOf(usualTarget(surroundings)), configured: own }
}

function contextOf(target: SetupTarget): NameauthContext {
  const survey = surveyNameauth(target.places.envFile)
  const { domain } = survey
  return { target, survey, configured: domain === undefined ? undefined : { domain, by: target.places.envFile } }
}

const domainIn = (surroundings: Environment): string | undefined =>
  effectiveSettings(surroundings, 'nameauth').find(({ name, value }) => name === 'NAMEAUTH_DOMAIN' && value !== 'unset')
    ?.value

function surveyNameauth(path: string): NameauthSurvey {
  const file = readEnvFile(path)
  const { environment } = file
  const set = statedSettings(environment, 'nameauth').filter(({ value }) => value !== 'invalid')
  const texts = new Map(set.map(({ name, value }) => [name, value]))
  const sells = readNameauthValues(environment).values.transfersOn === true
  return {
    ...file,
    domain: texts.get('NAMEAUTH_DOMAIN'),
    present: presentAnswers(NAMEAUTH_QUESTIONS, texts, { sells }),
    kept: keptSecrets(texts, environment),
  }
}

/** What setup wrote in place of a token is none. */
function keptSecrets(texts: Texts, environment: Environment): ReadonlySet<NameauthKey> {
  const found = foundSecrets(environment, 'nameauth')
  const lacking = found.filter(({ text }) => text.reveal().trim() === NO_TOKEN_YET).map(({ name }) => name)
  return new Set(
    SECRETS.flatMap(([key, { setting }]) => (texts.has(setting) && !lacking.includes(setting) ? [key] : [])),
  )
}
