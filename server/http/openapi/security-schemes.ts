import { SCOPES } from '../../../shared/rules/scopes.ts'

export const SECURITY_SCHEMES = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description:
      'A secret key as the user name with an empty password, or e-mail and password of a user.',
  },
  oauth: {
    type: 'oauth2',
    description:
      'A token that a merchant granted to a platform. The token identifies the instance, so the ' +
      'path leaves it out.',
    flows: {
      authorizationCode: {
        authorizationUrl: '/oauth/authorize',
        tokenUrl: '/oauth/token',
        refreshUrl: '/oauth/token',
        scopes: Object.fromEntries(SCOPES.map((scope) => [scope, describeScope(scope)])),
      },
    },
  },
  checkout: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of a checkout session, from the response that opened it.',
  },
  client: {
    type: 'http',
    scheme: 'basic',
    description: 'client_id as the user name and client_secret as the password.',
  },
}

function describeScope(scope: string): string {
  const [access = '', area] = scope.split(':').toReversed()
  const everything = access === 'read' ? 'everything' : 'everything except processors'
  return `${access === 'read' ? 'Read' : 'Write'} ${area?.replace('_', ' ') ?? everything}`
}
