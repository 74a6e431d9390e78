import { describeGateway } from '../support/gateway-journey.ts';

describeGateway('gateway-b');
