export interface AuditFilters {
  actor?: string;
  action?: string;
  subject?: string;
  run?: string;
  period?: string;
}
