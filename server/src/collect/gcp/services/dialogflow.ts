import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Dialogflow',
  prefix: 'dialogflow',
  group: 'ai',
  types: ['Agent', 'ConversationProfile', 'KnowledgeBase', 'LocationSettings'],
});
