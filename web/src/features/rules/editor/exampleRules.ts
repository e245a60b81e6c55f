/** The two beginnings of docs/guide/rules.md. */
export const FIRST = `version: "1.0"
checkpoints:
  - name: "Messages by two"
    trigger:
      tool: send_message
      confidence: "< 0.95"
    action:
      require_approval_count: 2
    examples:
      match: [{confidence: 0.9}]
      no_match: [{confidence: 0.99}]
`;

export const FULL = `version: "1.0"

checkpoints:
  - name: "Large refunds"
    priority: 1
    description: "Two people, within an hour"
    trigger:
      operation_type: [refund, financial_transaction]
      data_threshold: {field: amount, operator: ">", value: 1000}
    action:
      require_approval_count: 2
      four_eyes: true
      timeout_seconds: 3600
      on_timeout: deny
    examples:
      match: [{amount: 1001}, {amount: "1500"}]
      no_match: [{amount: 1000}, {operation_type: read, arguments: {amount: 5000}}]

  - name: "No mail to strangers at night"
    trigger:
      tool: send_email
      custom_field: {field: to, operator: not_in, value: [team@example.com, boss@example.com]}
      outside_hours: {timezone: Europe/Berlin, monday_friday: "07:00-20:00"}
    action: {deny: true, reason: "Mail to strangers goes out by day"}

auto_approval:
  enabled: true
  global_settings:
    business_hours_only: true
    business_hours:
      timezone: "America/New_York"
      monday_friday: "09:00-17:00"
      saturday_sunday: "disabled"
  rules:
    - name: "Small refunds"
      conditions:
        risk_level: [low, medium]
        operation_type: refund
        data_threshold: {field: amount, operator: "<=", value: 50}
        confidence: ">= 0.9"
      action: {auto_approve: true, notify: true}
`;
